"""Which of those who wait to be admitted goes when there are too many."""

from kew.channels.agents.pendingconnections import PendingConnections, network_of


def waiting(*who: tuple[str, str]) -> PendingConnections[str]:
    pending: PendingConnections[str] = PendingConnections()
    for name, address in who:
        pending.add(name, address)
    return pending


def order(pending: PendingConnections[str]) -> str:
    """In which order they go, if nobody else comes."""
    gone = []
    while len(pending):
        gone.append(pending.first_to_go())
        pending.remove(gone[-1])
    return " ".join(gone)


def test_the_longest_waiting_of_the_address_that_has_most_goes() -> None:
    assert order(waiting(("old", "10.0.0.1"), ("a", "10.0.0.2"), ("b", "10.0.0.2"), ("c", "10.0.0.2"))) == "a b old c"


def test_among_equals_the_longest_waiting_goes() -> None:
    assert order(waiting(("a", "10.0.0.1"), ("b", "10.0.0.2"), ("c", "10.0.0.3"))) == "a b c"


def test_who_takes_a_step_waits_anew() -> None:
    pending = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"), ("c", "10.0.0.1"))
    pending.step("a")
    assert order(pending) == "b c a"


def test_who_waits_for_us_goes_last_of_his_address() -> None:
    pending = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"), ("c", "10.0.0.1"), ("x", "10.0.0.9"))
    pending.ask("a")
    pending.ask("b")
    assert pending.first_to_go() == "c"
    pending.answer("a")
    assert order(pending) == "a c x b"


def test_where_all_wait_for_us_the_first_goes() -> None:
    pending = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"))
    pending.ask("b")
    pending.ask("a")
    assert order(pending) == "a b"


def test_who_is_not_there_changes_nothing() -> None:
    pending = waiting(("a", "10.0.0.1"))
    pending.step("z")
    pending.ask("z")
    pending.remove("z")
    assert order(pending) == "a"
    pending.add("z", "10.0.0.1")
    pending.add("y", "10.0.0.1")
    assert pending.first_to_go() == "z"  # and does not wait for us since before it came


def test_a_network_of_ipv6_is_one_address() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("fe80::1%eth0") == "fe80::"
    assert network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("") == ""
    assert network_of("no:address") == "no:address"


def test_a_flood_from_one_address_drives_out_itself() -> None:
    pending = waiting(("client", "10.0.0.1"))
    for number in range(1000):
        pending.add(f"flood{number}", "10.0.0.2")
        if len(pending) > 20:
            pending.remove(pending.first_to_go())
    assert "client" in pending.all()
