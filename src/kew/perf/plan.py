"""The plan of a run: queues and threads for a workload and a number of clients.

Producers have the first slots of the board, so that the first slots, up to the number of producers, are measured.
Threads with fastpath bindings are placed in the queue manager's process; the others go to processes of their own,
producers and consumers apart, as many as the machine has cores.
"""

import os
from dataclasses import dataclass, field
from typing import Any, Final

from kew.perf.scenario import VERBS, Workload

PREFIX: Final = "KEW.PERF."
HOST: Final = "host"
PRODUCERS: Final = "producers"
CONSUMERS: Final = "consumers"
CROWD_THREADS: Final = 8
DEPTH: Final = 999_999_999
FIRST_PAGE_SET: Final = 10  # of those that a workload spreads its queues over

Thread = dict[str, Any]


@dataclass
class Plan:
    """Queues and threads for one point of a sweep."""

    workload: Workload
    commands: list[str] = field(default_factory=list)
    queues: list[str] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)
    subscriptions: list[str] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    measured: int = 0  # slots of producers

    def places(self) -> dict[str, list[Thread]]:
        """Give the threads of each process."""
        cores = os.cpu_count() or 1
        found: dict[str, list[Thread]] = {}
        counts = {PRODUCERS: 0, CONSUMERS: 0}
        for thread in self.threads:
            place = thread["place"]
            if place != HOST:
                at = counts[place]
                counts[place] += 1
                place = f"{place}-{at % cores}"
            found.setdefault(place, []).append(thread)
        return found

    @property
    def slots(self) -> int:
        """Give the number of slots: one for each thread, and one for each verb."""
        return len(self.threads) + len(VERBS)

    def delete_commands(self) -> list[str]:
        """Give the commands that delete the subscriptions and queues."""
        ending = [f"DELETE SUB('{name}')" for name in self.subscriptions]
        return [*ending, *[f"DELETE QLOCAL('{name}') PURGE" for name in [*self.queues, *self.copies]]]


def make_plan(workload: Workload, clients: int) -> Plan:
    """Plan a workload for a number of clients."""
    plan = Plan(workload)
    maker = {
        "request-reply": _request_reply,
        "crowd": _request_reply,
        "put-get": _put_get,
        "one-way": _one_way,
        "verbs": _verbs,
        "selector": _selector,
        "publish": _publish,
    }[workload.kind]
    for number in range(workload.page_sets):
        plan.commands.append(f"DEFINE STGCLASS('KEWP{number + 1}') PSID({FIRST_PAGE_SET + number}) REPLACE")
    maker(plan, clients)
    return plan


def _queue(plan: Plan, name: str, number: int = 1, more: str = "") -> str:
    workload = plan.workload
    attributes = f"MAXDEPTH({DEPTH}) MAXMSGL(104857600) SHARE DEFSOPT(SHARED)"
    if workload.page_sets:
        attributes += f" STGCLASS('KEWP{(number - 1) % workload.page_sets + 1}')"
    plan.commands.append(f"DEFINE QLOCAL('{name}') {attributes} {more} REPLACE".replace("  ", " "))
    plan.queues.append(name)
    return name


def _thread(plan: Plan, role: str, side: str, binding: str, **more: Any) -> Thread:
    place = HOST if binding == "fastpath" else side
    made = {"role": role, "slot": len(plan.threads), "place": place, "binding": binding, **more}
    plan.threads.append(made)
    return made


def _request_reply(plan: Plan, clients: int) -> None:
    workload = plan.workload
    index = " INDXTYPE(CORRELID)" if workload.correlation else ""
    requests = [_queue(plan, f"{PREFIX}REQUEST{at + 1}", at + 1) for at in range(workload.queues)]
    count = clients if workload.own_reply_queues else workload.queues
    replies = [_queue(plan, f"{PREFIX}REPLY{at + 1}", at + 1, index.strip()) for at in range(count)]
    crowded = workload.kind == "crowd"
    threads = min(clients, CROWD_THREADS) if crowded else clients
    for number in range(threads):
        held = clients // threads + (number < clients % threads)
        queue = number % workload.queues
        _thread(
            plan,
            "crowd" if crowded else "requester",
            PRODUCERS,
            workload.binding,
            output=requests[queue],
            input=replies[number if workload.own_reply_queues else queue],
            number=number,
            count=held,
        )
    plan.measured = threads
    for number in range(max(workload.responders, workload.queues)):
        _thread(
            plan,
            "responder",
            CONSUMERS,
            workload.responder_binding or workload.binding,
            input=requests[number % workload.queues],
            number=number,
        )


def _put_get(plan: Plan, clients: int) -> None:
    workload = plan.workload
    index = "INDXTYPE(MSGID)" if workload.correlation else ""
    queues = [_queue(plan, f"{PREFIX}Q{at + 1}", at + 1, index) for at in range(workload.queues)]
    for number in range(clients):
        queue = queues[number % len(queues)]
        _thread(plan, "put_get", PRODUCERS, workload.binding, output=queue, number=number)
    plan.measured = clients


def _one_way(plan: Plan, clients: int) -> None:
    workload = plan.workload
    bindings = workload.binding, workload.responder_binding or workload.binding
    expiry = f"CUSTOM('CAPEXPRY({workload.capexpry})')" if workload.capexpry else ""
    streaming = bool(workload.stream)
    senders = []
    for number in range(clients):
        more = "" if streaming else expiry
        if streaming:
            copy = f"{PREFIX}COPY{number + 1}"
            _queue(plan, copy, number + 1, expiry)
            plan.copies.append(plan.queues.pop())
            more = f"STREAMQ('{copy}') STRMQOS({workload.stream})"
        queue = _queue(plan, f"{PREFIX}Q{number + 1}", number + 1, more)
        senders.append(_thread(plan, "sender", PRODUCERS, bindings[0], output=queue, number=number))
    plan.measured = clients
    for number in range(clients):
        if workload.consumers:
            queue = plan.queues[number]
            got = _thread(plan, "receiver", CONSUMERS, bindings[1], input=queue, number=number)
            senders[number]["partner"] = got["slot"]
        if streaming and workload.drainers:
            _thread(plan, "drainer", CONSUMERS, bindings[1], input=plan.copies[number], number=number)


def _publish(plan: Plan, clients: int) -> None:
    workload = plan.workload
    topics = [f"kew/perf/{number + 1}" for number in range(clients)]
    publishers = [
        _thread(plan, "publisher", PRODUCERS, workload.binding, output=topic, number=number)
        for number, topic in enumerate(topics)
    ]
    plan.measured = clients
    for number, topic in enumerate(topics):
        for place in range(workload.subscribers):
            # As in the reports the subscriptions are unmanaged: a queue that is there holds persistent messages.
            queue = _queue(plan, f"{PREFIX}SUB{place + 1}.{number + 1}", number + 1)
            plan.commands.append(f"DEFINE SUB('{queue}') TOPICSTR('{topic}') DEST('{queue}') REPLACE")
            plan.subscriptions.append(queue)
            got = _thread(plan, "receiver", CONSUMERS, workload.binding, input=queue, number=number)
            publishers[number]["partner"] = got["slot"]


def _verbs(plan: Plan, _clients: int) -> None:
    workload = plan.workload
    more = ""
    if workload.stream:
        _queue(plan, f"{PREFIX}COPY1")
        plan.copies.append(plan.queues.pop())
        more = f"STREAMQ('{plan.copies[0]}') STRMQOS({workload.stream})"
    queue = _queue(plan, f"{PREFIX}Q1", 1, more)
    slots = list(range(1, len(VERBS) + 1))
    copies = plan.copies[0] if workload.stream else ""
    _thread(plan, "verbs", PRODUCERS, workload.binding, output=queue, verbs=slots, copies=copies)
    plan.measured = 1 + len(VERBS)


def _selector(plan: Plan, _clients: int) -> None:
    workload = plan.workload
    more = f"CUSTOM('PROPINDX({workload.property_index})')" if workload.property_index else ""
    queue = _queue(plan, f"{PREFIX}Q1", 1, more)
    _thread(plan, "selecting", PRODUCERS, workload.binding, output=queue)
    plan.measured = 1
