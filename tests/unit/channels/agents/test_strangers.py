"""Which of those who wait to be admitted goes when there are too many."""

from kew.channels.agents.strangers import Strangers, network_of


def waiting(*who: tuple[str, str]) -> Strangers[str]:
    strangers: Strangers[str] = Strangers()
    for name, address in who:
        strangers.add(name, address)
    return strangers


def order(strangers: Strangers[str]) -> str:
    """In which order they go, if nobody else comes."""
    gone = []
    while len(strangers):
        gone.append(strangers.first_to_go())
        strangers.remove(gone[-1])
    return " ".join(gone)


def test_the_longest_waiting_of_the_address_that_has_most_goes() -> None:
    assert order(waiting(("old", "10.0.0.1"), ("a", "10.0.0.2"), ("b", "10.0.0.2"), ("c", "10.0.0.2"))) == "a b old c"


def test_among_equals_the_longest_waiting_goes() -> None:
    assert order(waiting(("a", "10.0.0.1"), ("b", "10.0.0.2"), ("c", "10.0.0.3"))) == "a b c"


def test_who_takes_a_step_waits_anew() -> None:
    strangers = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"), ("c", "10.0.0.1"))
    strangers.step("a")
    assert order(strangers) == "b c a"


def test_who_waits_for_us_goes_last_of_his_address() -> None:
    strangers = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"), ("c", "10.0.0.1"), ("x", "10.0.0.9"))
    strangers.ask("a")
    strangers.ask("b")
    assert strangers.first_to_go() == "c"
    strangers.answer("a")
    assert order(strangers) == "a c x b"


def test_where_all_wait_for_us_the_first_goes() -> None:
    strangers = waiting(("a", "10.0.0.1"), ("b", "10.0.0.1"))
    strangers.ask("b")
    strangers.ask("a")
    assert order(strangers) == "a b"


def test_who_is_not_there_changes_nothing() -> None:
    strangers = waiting(("a", "10.0.0.1"))
    strangers.step("z")
    strangers.ask("z")
    strangers.remove("z")
    assert order(strangers) == "a"
    strangers.add("z", "10.0.0.1")
    strangers.add("y", "10.0.0.1")
    assert strangers.first_to_go() == "z"  # and does not wait for us since before it came


def test_a_network_of_ipv6_is_one_address() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("fe80::1%eth0") == "fe80::"
    assert network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("") == ""
    assert network_of("no:address") == "no:address"


def test_a_flood_from_one_address_drives_out_itself() -> None:
    strangers = waiting(("client", "10.0.0.1"))
    for number in range(1000):
        strangers.add(f"flood{number}", "10.0.0.2")
        if len(strangers) > 20:
            strangers.remove(strangers.first_to_go())
    assert "client" in strangers.all()
