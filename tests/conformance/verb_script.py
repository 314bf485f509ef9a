"""Runs conformance scripts of verbs: what programs call, a rule, and the replies expected.

    # what the case shows
    mqsc DEFINE QLOCAL(Q1)
    connect A
    open A q Q1 output,input_shared
    put A q "text" persistent syncpoint show=msgid
    get A q wait interval=10 match_msg_id msgid=id1
    ----
    mqsc                AMQ8006I
    connect A           ok
    open A q            ok
    put A q             ok msgid id1
    get A q             failed 2033 MQRC_NO_MSG_AVAILABLE

A case ends at an empty line, and its programs die with it; queues stay until the end of the file. Options are MQ's
names without the prefix, fields of the descriptor MQ's names in small letters. An id that the queue manager made is
called id1, id2 ... in the order in which the case shows them. `open ... selection=TEXT` gives a selection string,
`put ... folders=TEXT` folders of an MQRFH2 before the data, with | between them, and such a header
is shown by its folders. `bytes=HEX` is data that is no text. `topic A t STRING OPTIONS object=T` opens a topic, `sub A
s q STRING OPTIONS name=N` subscribes (q is the queue that it makes, with `given` the one that it is given), `subrq A s`
asks for what is retained, `pub A STRING DATA` is MQPUT1 to a topic. `openlist A l Q1,Q2@QM OPTIONS` opens a
distribution list, `putlist A l DATA OPTIONS msgids=a,b feedbacks=1,2` puts to it with records, and `put1list A Q1,Q2
DATA` is MQPUT1 to one; what each destination has come to is shown where they differ. `later CALL` makes a call in a
thread of its own, `await A` gives its reply. `manager=QM2` of `open` and `put1` is ObjectQMgrName, and `get ... inner=`
shows fields of the descriptor in an MQXQH. `clock SECONDS` lets the queue manager's clock go forward. Data longer
than a line is put as `size=N`: digits, over and over.
"""

import os
import re
import shlex
import time
from collections.abc import Callable
from pathlib import Path

from tests.conformance.verb_words import FIELDS, IDS, Arguments, code, codes, pattern, shown
from tests.support.threads import Background, until

from kew.codes import attributes as attribute_codes
from kew.codes import options as option_codes
from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_MULTIPLE_REASONS, MQRC_NONE, reason_name
from kew.commands.actions.script import Script
from kew.formats import mqrfh2, mqxqh
from kew.formats.charset import UTF_8
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqpmr import PutRecord
from kew.formats.mqrfh2 import RulesHeader
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections.connection import accounting_token
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Clock
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.reply import reply_to
from kew.mqi.objects.distribution import DistributionList, Member
from kew.mqi.puts.remote import is_elsewhere, resolved
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.manager import QueueManager

RULE = "----"
WIDTH = 24
NAME = "QM1"
SMALL = Configuration(
    log=LogConfiguration(file_pages=256, primary_files=3),
    buffer_pools=(BufferPoolConfiguration(0, 400), BufferPoolConfiguration(1, 400)),
    page_sets=(PageSetConfiguration(0, 512, buffer_pool=0), PageSetConfiguration(1, 1024, buffer_pool=1)),
)

RECORD_FIELDS = {
    "msgids": (option_codes.MQPMRF_MSG_ID, "message_id"),
    "correlids": (option_codes.MQPMRF_CORREL_ID, "correlation_id"),
    "groupids": (option_codes.MQPMRF_GROUP_ID, "group_id"),
    "feedbacks": (option_codes.MQPMRF_FEEDBACK, "feedback"),
    "tokens": (option_codes.MQPMRF_ACCOUNTING_TOKEN, "accounting_token"),
}
THREE_WORDS = ("open", "close", "put", "put1", "reply", "get", "inq", "set", "topic", "sub", "subrq", "pub")
LISTS = ("openlist", "putlist")


def _with_folders(arguments: Arguments, descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Data with the folders before it that a call asks for."""
    if "folders" not in arguments.values:
        return data
    described = RulesHeader(descriptor.encoding, descriptor.ccsid or UTF_8, descriptor.format.ljust(8))
    described.folders = arguments.values["folders"].split("|")
    descriptor.format = RFH2_FORMAT
    return mqrfh2.encode(described) + data


def _destinations(queues: str) -> DistributionList:
    """A list from its queues, each with the queue manager after an @ if it has one."""
    named = [queue.partition("@") for queue in queues.split(",")]
    return DistributionList([Member(queue, manager) for queue, _, manager in named])


def _answers(destinations: DistributionList) -> str:
    """What each destination has come to, where it is not the same for all."""
    if destinations.reason != MQRC_MULTIPLE_REASONS:
        return ""
    return ": " + ", ".join([f"{member.name} {member.reason}" for member in destinations.members])


class Case:
    """One case while it runs: its programs, what they have open, the ids it has shown."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage
        self.connections: dict[str, LocalConnection] = {}
        self.handles: dict[tuple[str, str], Handle] = {}
        self.got: dict[str, MessageDescriptor] = {}
        self.names: dict[str, bytes] = {}
        self.tokens: dict[str, bytes] = {}  # of the message that each program has marked last
        self.waiting: dict[str, Background[str]] = {}

    # -- how replies are shown -----------------------------------------------------------------------------------------

    def show(self, descriptor: MessageDescriptor, arguments: Arguments) -> str:
        """Give the fields of a descriptor that a call asked to see."""
        wanted = arguments.values.get("show", "")
        return "".join([f" {key} {self._field(key, descriptor)}" for key in wanted.split(",") if key])

    def _field(self, key: str, descriptor: MessageDescriptor) -> str:
        value = getattr(descriptor, FIELDS[key])
        if isinstance(value, int):
            return str(value)
        if key in IDS:
            return self._id(value)
        if key == "accountingtoken":
            return "of this user" if value == accounting_token(os.getuid()) else value.rstrip(b"\0").hex() or "none"
        text = value.rstrip(b" \0").decode()
        now = time.gmtime()
        if key == "putdate" and text == time.strftime("%Y%m%d", now):
            return "today"
        if key == "puttime" and text[:3] in (time.strftime("%H%M", now)[:3], time.strftime("%H%M", _before(now))[:3]):
            return "now"
        return f"'{text}'"

    def _id(self, value: bytes) -> str:
        for name, known in self.names.items():
            if known == value:
                return name
        if value.startswith(b"AMQ " + NAME.encode()):
            name = f"id{len(self.names) + 1}"
            self.names[name] = value
            return name
        return value.rstrip(b"\0").decode() or "none"

    # -- calls ---------------------------------------------------------------------------------------------------------

    def reply(self, line: str) -> list[str]:
        """Carry out a line; gives the lines of its reply."""
        if line.startswith("mqsc "):
            return [f"{'mqsc':{WIDTH}}{said}" for said in self.stage.mqsc(line[5:])]
        words = shlex.split(line)
        later = words[0] == "later"
        if later:
            del words[0]
        about = 3 if words[0] in THREE_WORDS or words[0] in LISTS else 2
        label = " ".join(words[:about]) if not later else "later " + " ".join(words[:about])
        said = self._later(words) if later else self._said(lambda: self._call(words))
        return [f"{label:{WIDTH}}{said}".rstrip()]

    def _said(self, call: Callable[[], str]) -> str:
        try:
            return call()
        except MQError as error:
            return f"{'failed' if error.completion == MQCC_FAILED else 'warning'} {error.reason} {error.name}"

    def _call(self, words: list[str]) -> str:
        verb, *rest = words
        if verb == "clock":
            self.stage.advance(float(rest[0]))
            return "ok"
        if verb in ("restart", "crash", "quiesce"):
            if verb != "quiesce":
                self.connections.clear()
            self.stage.life(verb)
            return "ok"
        call = getattr(self, "_" + verb)
        said = call(*rest)
        assert isinstance(said, str)
        return said

    def _later(self, words: list[str]) -> str:
        queue = self.handles[words[1], words[2]].queue
        assert queue is not None
        before = queue.waiters.count
        call = Background(lambda: self._said(lambda: self._call(words)))
        self.waiting[words[1]] = call
        until(lambda: queue.waiters.count > before or not call.running())
        return "waits" if call.running() else "does not wait"

    def _await(self, name: str) -> str:
        return self.waiting.pop(name).result()

    def _connect(self, name: str, *rest: str) -> str:
        arguments = Arguments(list(rest), self.names)
        application, user = arguments.values.get("application", "tester"), arguments.values.get("user", "")
        self.connections[name] = self.stage.running.connect(application, user)
        return "ok"

    def _disconnect(self, name: str) -> str:
        self.connections[name].disconnect()
        return "ok"

    def _die(self, name: str) -> str:
        self.connections[name].abandon()
        return "ok"

    def _open(self, name: str, handle: str, queue: str, options: str = "0", *rest: str) -> str:
        values = Arguments(list(rest), self.names).values
        dynamic, alternate = values.get("dynamic", ""), values.get("alternate", "")
        selection = values.get("selection", "")
        manager = values.get("manager", "")
        opened = self.connections[name].open(queue, codes("MQOO_", options), dynamic, alternate, selection, manager)
        self.handles[name, handle] = opened
        if is_elsewhere(opened):
            found = resolved(opened, NAME)
            return f"ok {found.queue}@{found.manager} through {opened.name}" if opened.output else "ok"
        if opened.name == queue:
            return "ok"
        return "ok " + re.sub("[0-9A-F]{16}$", "<unique>", opened.name)

    def _close(self, name: str, handle: str, options: str = "none") -> str:
        self.connections[name].close(self.handles[name, handle], codes("MQCO_", options))
        return "ok"

    def _borrow(self, name: str, handle: str, lender: str) -> str:
        """A program that uses a handle of another."""
        self.handles[name, handle] = self.handles[lender, handle]
        return "ok"

    def _message(self, words: tuple[str, ...]) -> tuple[bytes, Arguments]:
        size = re.fullmatch(r"size=(\d+)", words[0])
        data = words[0].encode() if size is None else pattern(int(size[1]))
        if words[0].startswith("bytes="):
            data = bytes.fromhex(words[0].removeprefix("bytes="))
        return data, Arguments(list(words[1:]), self.names)

    def _put(self, name: str, handle: str, *words: str) -> str:
        data, arguments = self._message(words)
        descriptor = arguments.descriptor()
        data = _with_folders(arguments, descriptor, data)
        return self._put_to(name, self.handles[name, handle], descriptor, data, arguments)

    def _put_to(
        self, name: str, handle: Handle, descriptor: MessageDescriptor, data: bytes, arguments: Arguments
    ) -> str:
        context = arguments.values.get("context")
        source = None if context is None else self.handles[name, context]
        self.connections[name].put(handle, descriptor, data, arguments.code("MQPMO_"), source)
        return "ok" + self.show(descriptor, arguments)

    def _reply(self, name: str, handle: str, *words: str) -> str:
        """Puts the reply to the message that the program has got last."""
        data, arguments = self._message(words)
        descriptor = arguments.descriptor(reply_to(self.got[name]))
        return self._put_to(name, self.handles[name, handle], descriptor, data, arguments)

    def _put1(self, name: str, queue: str, *words: str) -> str:
        data, arguments = self._message(words)
        descriptor = arguments.descriptor()
        context = arguments.values.get("context")
        source = None if context is None else self.handles[name, context]
        alternate = arguments.values.get("alternate", "")
        data = _with_folders(arguments, descriptor, data)
        found = self.connections[name].put1(
            queue,
            descriptor,
            data,
            arguments.code("MQPMO_"),
            source,
            alternate,
            manager=arguments.values.get("manager", ""),
        )
        where = f" {found.queue}@{found.manager}" if found.away else ""
        return "ok" + where + self.show(descriptor, arguments)

    def _get(self, name: str, handle: str, *words: str) -> str:
        arguments = Arguments([word for word in words if not word.startswith("match_")], self.names)
        match = 0
        for word in words:
            if word.startswith("match_"):
                match |= codes("MQMO_", word)
        interval = arguments.values.get("interval", "0")
        got = self.connections[name].get(
            self.handles[name, handle],
            arguments.code("MQGMO_"),
            codes("MQWI_", interval),
            match,
            arguments.descriptor(),
            int(arguments.values.get("buffer", "-1")),
            token=self.tokens.get(arguments.values.get("token", ""), b""),
        )
        if got.token:
            self.tokens[name] = got.token
        if got.reason == MQRC_NONE:
            self.got[name] = got.descriptor
        return self._outcome(got) + self.show(got.descriptor, arguments) + self._inner(got, arguments)

    def _inner(self, got: Got, arguments: Arguments) -> str:
        """Give the fields of the descriptor in a transmission queue header that a call asked to see."""
        wanted = arguments.values.get("inner", "")
        if not wanted:
            return ""
        inner = mqxqh.decode(got.data).descriptor
        return " inner" + "".join([f" {key} {self._field(key, inner)}" for key in wanted.split(",")])

    def _outcome(self, got: Got) -> str:
        if got.reason == MQRC_NONE:
            return "ok " + shown(got.data)
        part = f" {shown(got.data)} of {got.length}" if got.length else ""
        return _completed(got.reason) + part

    def _topic(self, name: str, handle: str, string: str, options: str = "output", *rest: str) -> str:
        values = Arguments(list(rest), self.names).values
        opened = self.connections[name].open_topic(
            values.get("object", ""), string, codes("MQOO_", options), values.get("alternate", "")
        )
        self.handles[name, handle] = opened
        return "ok" if opened.name == string else f"ok {opened.name}"

    def _sub(self, name: str, handle: str, queue: str, string: str, options: str = "create,managed", *rest: str) -> str:
        arguments = Arguments(list(rest), self.names)
        values = arguments.values
        request = SubscriptionRequest(codes("MQSO_", options), string, values.get("object", ""), values.get("name", ""))
        request.correlation_id = arguments.descriptor().correlation_id
        request.alternate_user = values.get("alternate", "")
        request.expiry = int(values.get("lifetime", "-1"))
        request.level = int(values.get("level", "1"))
        request.priority = int(values.get("pubpriority", "-3"))
        request.user_data = values.get("userdata", "")
        request.selector = values.get("selector", "")
        request.identity_data = values.get("identity", "").encode().ljust(32)
        given = self.handles[name, queue] if "given" in arguments.options else None
        made = self.connections[name].subscribe(request, given)
        self.handles[name, handle] = made.handle
        self.handles[name, queue] = made.queue
        resolved = re.sub("[0-9A-F]{16}$", "<unique>", made.queue.name)
        return f"{_completed(made.reason)} {made.subscription.topic} -> {resolved}"

    def _subrq(self, name: str, handle: str, *rest: str) -> str:
        arguments = Arguments(list(rest), self.names)
        action = int(arguments.values.get("action", "1"))
        sent = self.connections[name].request_publications(self.handles[name, handle], action, arguments.code("MQSRO_"))
        return f"ok {sent}"

    def _pub(self, name: str, string: str, *words: str) -> str:
        data, arguments = self._message(words)
        descriptor = arguments.descriptor()
        data = _with_folders(arguments, descriptor, data)
        self.connections[name].publish(
            arguments.values.get("object", ""), string, descriptor, data, arguments.code("MQPMO_")
        )
        return "ok" + self.show(descriptor, arguments)

    def _openlist(self, name: str, handle: str, queues: str, options: str = "output", *rest: str) -> str:
        destinations = _destinations(queues)
        alternate = Arguments(list(rest), self.names).values.get("alternate", "")
        try:
            opened = self.connections[name].open_list(destinations, codes("MQOO_", options), alternate)
        except MQError as error:
            return f"failed {error.reason} {error.name}" + _answers(destinations)
        self.handles[name, handle] = opened
        return self._list_outcome(destinations)

    def _putlist(self, name: str, handle: str, *words: str) -> str:
        data, arguments = self._message(words)
        opened = self.handles[name, handle]
        destinations = opened.outlet
        if not isinstance(destinations, DistributionList):  # it was closed
            return self._put_to(name, opened, arguments.descriptor(), data, arguments)
        self._records(destinations, arguments)
        descriptor = arguments.descriptor()
        try:
            self._put_to(name, opened, descriptor, data, arguments)
        except MQError as error:
            if error.reason != destinations.reason:
                raise
        return self._list_outcome(destinations) + self.show(descriptor, arguments)

    def _put1list(self, name: str, queues: str, *words: str) -> str:
        data, arguments = self._message(words)
        destinations = _destinations(queues)
        self._records(destinations, arguments)
        descriptor = arguments.descriptor()
        try:
            self.connections[name].put1_list(destinations, descriptor, data, arguments.code("MQPMO_"))
        except MQError as error:
            if error.reason != destinations.reason:
                raise
        return self._list_outcome(destinations) + self.show(descriptor, arguments)

    def _records(self, destinations: DistributionList, arguments: Arguments) -> None:
        """Give a list the put message records of a call."""
        records: list[PutRecord] = []
        fields = 0
        for key, (flag, field) in RECORD_FIELDS.items():
            for place, value in enumerate(arguments.values.get(key, "").split(",")):
                if value:
                    fields |= flag
                    if place >= len(records):
                        records.append(PutRecord())
                    raw = value.encode().ljust(32 if key == "tokens" else 24, b"\0")
                    setattr(records[place], field, int(value) if key == "feedbacks" else raw)
        destinations.give(int(arguments.values.get("fields", fields)), records)

    def _list_outcome(self, destinations: DistributionList) -> str:
        away = f" unknown {destinations.unknown}" if destinations.unknown else ""
        counts = f" known {destinations.known}{away} invalid {destinations.invalid}"
        used = [self._id(record.message_id) for record in destinations.records]
        ids = f" msgids {','.join(used)}" if used else ""
        said = "ok" if not destinations.reason else "warning" if destinations.completion == MQCC_WARNING else "failed"
        name = f" {destinations.reason} {reason_name(destinations.reason)}" if destinations.reason else ""
        return said + name + counts + ids + _answers(destinations)

    def _inq(self, name: str, handle: str, selectors: str) -> str:
        numbers = {
            selector: codes("MQCA_" if hasattr(attribute_codes, "MQCA_" + selector.upper()) else "MQIA_", selector)
            for selector in selectors.split(",")
        }
        found = self.connections[name].inquire(self.handles[name, handle], numbers.values())
        values = ", ".join([f"{selector} {found[number]!s}" for selector, number in numbers.items()])
        return f"{_completed(found.reason)} {values}"

    def _set(self, name: str, handle: str, *words: str) -> str:
        values = Arguments(list(words), self.names).values
        changes: dict[int, int | str] = {
            codes("MQIA_", selector): int(value) for selector, value in values.items() if selector != "trigger_data"
        }
        if "trigger_data" in values:
            changes[code("MQCA_", "trigger_data")] = values["trigger_data"]
        self.connections[name].set(self.handles[name, handle], changes)
        return "ok"

    def _begin(self, name: str) -> str:
        return _completed(self.connections[name].begin())

    def _cmit(self, name: str) -> str:
        self.connections[name].commit()
        return "ok"

    def _back(self, name: str) -> str:
        self.connections[name].backout()
        return "ok"

    def _xa_start(self, name: str, xid: str) -> str:
        self.connections[name].start_branch(xid.encode())
        return "ok"

    def _xa_end(self, name: str) -> str:
        self.connections[name].end_branch()
        return "ok"

    def _xa_prepare(self, name: str, xid: str) -> str:
        self.connections[name].prepare(xid.encode())
        return "ok"

    def _xa_commit(self, name: str, xid: str) -> str:
        self.connections[name].commit_branch(xid.encode())
        return "ok"

    def _xa_rollback(self, name: str, xid: str) -> str:
        self.connections[name].back_out_branch(xid.encode())
        return "ok"

    def _xa_recover(self, name: str) -> str:
        return "ok " + ",".join(sorted([xid.decode() for xid in self.connections[name].recover()]))

    def end(self) -> None:
        """Let the programs of the case die."""
        for connection in self.connections.values():
            connection.abandon()
        assert not self.waiting, "a call is waited for with `await`"


def _completed(reason: int) -> str:
    return "ok" if reason == MQRC_NONE else f"warning {reason} {reason_name(reason)}"


def _before(now: time.struct_time) -> time.struct_time:
    return time.gmtime(time.mktime(now) - time.timezone - 600)


class Stage:
    """The queue manager of a script."""

    def __init__(self, data: str) -> None:
        self.data = data
        manager.create(NAME, SMALL, data)
        self.running: QueueManager = manager.start(NAME, data)
        self.ahead = 0.0  # seconds by which its clock is wrong

    def mqsc(self, command: str) -> list[str]:
        """Run a command; gives the numbers of its messages, and lines of a display as they are."""
        said = [line.strip() for batch in Script(self.running.host.commands).run([command]) for line in batch]
        ids = [re.match(r"((?:AMQ|CSQ)\w+): ", line) for line in said]
        return [line if known is None else known[1] for line, known in zip(said, ids, strict=True) if line]

    def advance(self, seconds: float) -> None:
        """Let the queue manager's clock go forward, for good."""
        self.ahead += seconds
        self._set_clock()

    def _set_clock(self) -> None:
        ahead, engine = self.ahead, self.running.host.engine
        engine.clock = Clock(lambda: time.time() + ahead)
        engine.listener.delayed()

    def life(self, what: str) -> None:
        """Stop and start the queue manager, or let it end as a crash would and start it, or let it quiesce."""
        if what == "quiesce":
            self.running.quiesce()
            return
        if what == "crash":
            self.running.host.crash()
        self.running.stop()
        self.running = manager.start(NAME, self.data)
        if self.ahead:
            self._set_clock()


def run(path: Path, data: str, regenerate: bool) -> tuple[int, list[str]]:
    """Run a script; gives the number of cases, and where replies were not as expected (or writes what they were)."""
    stage = Stage(data)
    cases = 0
    wrong: list[str] = []
    paragraphs = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    try:
        for number, paragraph in enumerate(paragraphs):
            source, expected = _divide(paragraph.split("\n"))
            calls = [line for line in source if not line.startswith("#")]
            if not calls:
                continue
            case = Case(stage)
            replies: list[str] = []
            try:
                for call in calls:
                    replies.extend(case.reply(call))
            except Exception as error:
                error.add_note("\n".join([f"{path.name}: {source[0]}", *replies, call]))
                raise
            case.end()
            cases += 1
            paragraphs[number] = "\n".join([*source, RULE, *replies])
            if replies != expected:
                wrong.append("\n".join([f"{path.name}: {source[0]}", *_differences(expected, replies)]))
    finally:
        stage.running.stop()
    if regenerate:
        path.write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
        return cases, []
    return cases, wrong


def _divide(lines: list[str]) -> tuple[list[str], list[str]]:
    if RULE not in lines:
        return lines, []
    place = lines.index(RULE)
    return lines[:place], lines[place + 1 :]


def _differences(expected: list[str], replies: list[str]) -> list[str]:
    length = max(len(expected), len(replies))
    found = []
    for ought, was in zip(expected + [""] * length, replies + [""] * length, strict=False):
        if ought != was:
            found.extend([f"  expected {ought}", f"  was      {was}"])
    return found
