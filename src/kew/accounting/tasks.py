"""Accounts as the fields of SMF 116: the task (QMAC, QWAC, WTID, WTAS) and its queues (WQ)."""

from typing import Final

from kew.accounting.account import NONE_YET, TOPIC_NUMBER, Account, QueueAccount, VerbTimes
from kew.accounting.statistics import duration, moment
from kew.formats.smf.encoding import encode_text
from kew.formats.smf.layouts.structure import Value
from kew.queues.queue import Queue

BATCH: Final = 2  # CONNTYPE
COMMAND_SERVER: Final = 5
CHANNEL_INITIATOR: Final = 6

ENGINE_LATCH: Final = 1  # the latch class under which waits for the engine lock are shown
_ENDED: Final = 0x20000000
_ALWAYS: Final = 0x00800000
_LATCHES: Final = 32
_UNSIGNED_WORD: Final = 0xFFFFFFFF
_SIGNED_WORD: Final = 0x7FFFFFFF
_NO_LENGTH: Final = 0x0FFFFFFF
_LOCAL_QUEUE: Final = 1  # MQQT_LOCAL
_TOPIC: Final = 0x4000  # in FLAGS
_EYES: Final = {
    "OPENEYE": "OPEN",
    "CLOSEEYE": "CLOS",
    "GETEYE": "GET",
    "PUTEYE": "PUT",
    "PUT1EYE": "PUT1",
    "INQEYE": "INQ",
    "SETEYE": "SET",
    "CBEYE": "CB",
}


class Task:
    """The owner of an account: a program, or the other end of a channel."""

    def __init__(
        self,
        number: int,
        kind: int,
        application: str,
        user: str,
        channel: str,
        connection_name: str,
        accounting_token: bytes,
    ) -> None:
        self.number = number
        self.kind = kind
        self.application = application
        self.user = user
        self.channel = channel
        self.connection_name = connection_name
        self.accounting_token = accounting_token


def cut_text(value: str, width: int) -> str:
    """Cut a text to its field, without characters that EBCDIC lacks."""
    cut = value[:width]
    try:
        encode_text(cut, width)
    except ValueError:
        cut = "".join([each if each.isascii() and each.isprintable() else "." for each in cut])
    return cut


def job(task: Task) -> str:
    """Give the connection name: the program's name, in the eight characters of a job name."""
    return cut_text(task.application.strip().rpartition("/")[2].upper(), 8)


def correlation(task: Task) -> dict[str, Value]:
    """Give the fields of QWHC: the identity of the task, in the header."""
    user = cut_text(task.user, 8)
    return {
        "QWHCAID": user,
        "QWHCCV": task.number.to_bytes(12, "big"),
        "QWHCCN": job(task),
        "QWHCOPID": user,
        "QWHCATYP": task.kind,
        "QWHCTOKN": task.accounting_token[:22],
    }


def message_accounting(account: Account) -> dict[str, Value]:
    """Give the fields of QMAC: the processor time of a program, and its messages by size (class 1)."""
    values: dict[str, Value] = {"QMACCPUT": duration(account.sums().processor)}
    for letter, puts, gets in zip("ABCD", account.put_sizes.counts(), account.got_sizes.counts(), strict=True):
        values[f"QMACPUT{letter}"] = puts
        values[f"QMACGET{letter}"] = gets
    return values


def common_accounting(account: Account) -> dict[str, Value]:
    """Give the fields of QWAC: the times, units of work and lock waits of a program (class 1)."""
    sums = account.sums()
    processor = duration(sums.processor)
    return {
        "QWACBSC": moment(account.started),
        "QWACESC": moment(account.until),
        "QWACEJST": processor,
        "QWACCOMM": sums.commits,
        "QWACBACK": sums.backouts,
        "QWACASC": duration(sums.elapsed),
        "QWACAJST": processor,
        "QWACAWTL": duration(sums.lock_time),
        "QWACARNA": sums.calls,
        "QWACARNL": sums.lock_waits,
    }


def identification(task: Task) -> dict[str, Value]:
    """Give the fields of WTID: the identity of the task."""
    return {
        "WTIDATYP": task.kind,
        "WTIDCCN": job(task),
        "WTIDOPID": cut_text(task.user, 8),
        "WTIDCORI": task.number.to_bytes(12, "big"),
        "WTIDACCT": task.accounting_token[:22],
        "WTIDCHL": cut_text(task.channel, 20),
        "WTIDCHLC": cut_text(task.connection_name, 48),
        "WTIDTRAN": cut_text(task.user, 8),
    }


def _correlator(task: Task, account: Account) -> bytes:
    """Give the token that joins a task with its queues: the start of the task, and its number twice."""
    number = task.number & _UNSIGNED_WORD
    return moment(account.started).to_bytes(8, "big") + number.to_bytes(4, "big") * 2


def task_accounting(task: Task, account: Account, queues: int) -> dict[str, Value]:
    """Give the fields of WTAS: the work of the whole task."""
    forces = suspends = 0
    force_time = suspend_time = 0.0
    for verb in account.verbs():
        forces += verb.forces
        force_time += verb.force_time
        suspends += verb.forces + verb.page_waits + verb.suspends
        suspend_time += verb.force_time + verb.page_time + verb.suspend_time
    waits = [0] * _LATCHES
    times = [0] * _LATCHES
    longest = [0] * _LATCHES
    waits[ENGINE_LATCH - 1] = min(account.lock_waits, _SIGNED_WORD)
    times[ENGINE_LATCH - 1] = duration(account.lock_time)
    longest[ENGINE_LATCH - 1] = duration(account.longest_lock)
    return {
        "WTASSTRT": moment(account.started),
        "WTASMTHR": task.number & _UNSIGNED_WORD,
        "WTASWTAS": task.number & _UNSIGNED_WORD,
        "WTASFLAG": _ALWAYS | (_ENDED if account.ended else 0),
        "WTASWQCT": queues,
        "WTASLWET": times,
        "WTASLWN": waits,
        "WTASLMAX": longest,
        "WTASOTET": duration(account.other.elapsed),
        "WTASOTCT": duration(account.other.processor),
        "WTASOTN": account.other.calls,
        "WTASMLW": duration(account.longest_lock),
        "WTASMLWN": ENGINE_LATCH if account.lock_waits else 0,
        "WTASCMET": duration(account.commit.elapsed),
        "WTASCMCT": duration(account.commit.processor),
        "WTASCMN": account.commit.calls,
        "WTASBAET": duration(account.backout.elapsed),
        "WTASBACT": duration(account.backout.processor),
        "WTASBAN": account.backout.calls,
        "WTASPRET": duration(account.prepare.elapsed),
        "WTASPRCT": duration(account.prepare.processor),
        "WTASPRN": account.prepare.calls,
        "WTASSUET": duration(account.subscribe.elapsed),
        "WTASSUCT": duration(account.subscribe.processor),
        "WTASSUN": account.subscribe.calls,
        "WTASSUSC": account.selections,
        "WTASSUSL": account.longest_selection,
        "WTASSQET": duration(account.request.elapsed),
        "WTASSQCT": duration(account.request.processor),
        "WTASSQN": account.request.calls,
        "WTASJWN": min(account.log_writes, _UNSIGNED_WORD),
        "WTASJWB": min(account.log_bytes, _UNSIGNED_WORD),
        "WTASJCET": duration(force_time),
        "WTASJCN": forces,
        "WTASSUSN": suspends,
        "WTASSUSE": duration(suspend_time),
        "WTASINTS": moment(account.since),
        "WTASINTE": moment(account.until),
        "WTASGPO": min(account.pages, _SIGNED_WORD),
        "WTASGPN": min(account.new_pages, _SIGNED_WORD),
    }


def _times(values: dict[str, Value], prefix: str, verb: VerbTimes) -> None:
    values[f"{prefix}ET"] = duration(verb.elapsed)
    values[f"{prefix}CT"] = duration(verb.processor)
    values[f"{prefix}N"] = verb.calls


def _waits(values: dict[str, Value], prefix: str, verb: VerbTimes) -> None:
    values[f"{prefix}JWN"] = verb.log_writes
    values[f"{prefix}JCET"] = duration(verb.force_time)
    values[f"{prefix}JCN"] = verb.forces
    values[f"{prefix}PSET"] = duration(verb.page_time)
    values[f"{prefix}PSN"] = verb.page_waits
    values[f"{prefix}SUSET"] = duration(verb.force_time + verb.page_time + verb.suspend_time)
    values[f"{prefix}SUSN"] = verb.forces + verb.page_waits + verb.suspends


def queue_accounting(task: Task, account: Account, done: QueueAccount, queue: Queue | None) -> dict[str, Value]:
    """Give the fields of WQ: the work of the task on one queue; `queue` is None if the queue has been deleted."""
    values: dict[str, Value] = {
        **_EYES,
        "CORREL": _correlator(task, account),
        "OBJNAME": cut_text(done.opened_name, 48),
        "BASENAME": cut_text(done.name, 48),
        "OPENTIME": moment(done.opened),
        "CLOSTIME": moment(done.closed),
        "QTYPE": _LOCAL_QUEUE,
        "INDXTYPE": queue.store.index_type if queue is not None else 0,
        "NPS": queue.store.page_set.id if queue is not None else 0,
        "NBUFFPOOL": queue.store.page_set.pool.id if queue is not None else 0,
        "GETBRWA": done.browses_any,
        "GETBRWS": done.browses_specific,
        "GETA": done.gets_any,
        "GETS": done.gets_specific,
        "GETERR": done.gets_failed,
        "GETSMSG": min(done.passed, _UNSIGNED_WORD),
        "GETEXMSG": done.expired,
        "SELCOUNT": done.selections,
        "SELMAXLN": done.longest_selection,
        "PUTBYTES": done.put_bytes,
        "GETBYTES": done.got_bytes,
        "VALIDPUT": done.valid_puts,
        "VALIDGET": done.valid_gets,
        "GETMAXMS": min(done.largest_got, _SIGNED_WORD),
        "GETMINMS": _NO_LENGTH if done.smallest_got == NONE_YET else min(done.smallest_got, _NO_LENGTH),
        "PUTMAXMS": min(done.largest_put, _SIGNED_WORD),
        "PUTMINMS": _NO_LENGTH if done.smallest_put == NONE_YET else min(done.smallest_put, _NO_LENGTH),
        "MAXLATNT": duration(done.longest_stay),
        "MINLATNT": duration(max(0.0, done.shortest_stay)),
        "TOTLATNT": duration(done.total_stay),
        "USE_COUNT": max(0, done.handles),
        "TOTAL_USE": done.total_handles,
        "GETPMSG": done.persistent_got,
        "PUTPMSG": done.persistent_put,
        "PUT1PMSG": done.persistent_put1,
        "MAXQDPTH": min(done.deepest, _SIGNED_WORD),
        "GETDVAL": done.destructive_gets,
        "PUTPWG": done.direct_puts,
        "PUT1PWG": done.direct_put1s,
        "STREAMEDN": done.streamed,
        "PUBLISHEDN": done.published,
        "FLAGS": _TOPIC if done.number == TOPIC_NUMBER else 0,
    }
    for prefix, verb in (("OPEN", done.open), ("CLOSE", done.close), ("INQ", done.inquire), ("SET", done.set)):
        _times(values, prefix, verb)
    for prefix, verb in (("GET", done.get), ("PUT", done.put), ("PUT1", done.put1)):
        _times(values, prefix, verb)
        _waits(values, prefix, verb)
    values["SETJWN"] = done.set.log_writes
    return values
