"""MQ's command names, and the command of Kew for each, or the reason why there is none.

One line a command: its name; the operands in their order; the command of Kew; a remark. An operand in
capitals is replaced by the argument that the user typed, so that the answer can be copied. If the third column is
empty, Kew does not have the command.
"""

import shlex
from typing import Final, NamedTuple

_TABLE: Final = """
crtmqm     | QMGR       | kew create QMGR | kew create --help has -lf, -lp and -ls
strmqm     | QMGR       | kew start QMGR |
endmqm     | QMGR       | kew stop QMGR | endmqm -i is kew stop QMGR --immediate
dltmqm     | QMGR       | kew delete QMGR |
dspmq      | QMGR       | kew list | kew status QMGR tells more of one queue manager
dspmqver   |            | kew version |
runmqsc    | QMGR       | kew mqsc QMGR |
dmpmqcfg   | QMGR       | kew dump QMGR --objects | dmpmqcfg -a is --objects --all
dmpmqmsg   | QMGR QUEUE | kew dump QMGR QUEUE -o FILE | kew load reads the file
qload      | QMGR QUEUE | kew dump QMGR QUEUE -o FILE | kew load reads the file
setmqaut   | QMGR       | kew mqsc QMGR -e "SET AUTHREC PROFILE(Q1) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET,PUT)" |
dspmqaut   | QMGR       | kew mqsc QMGR -e "DISPLAY ENTAUTH PRINCIPAL('app') OBJTYPE(QUEUE) OBJNAME(Q1)" |
dmpmqaut   | QMGR       | kew mqsc QMGR -e "DISPLAY AUTHREC" |
setmqspl   | QMGR       | kew mqsc QMGR -e "SET POLICY(Q) SIGNALG(SHA256)" | -s -e -a -r -c -t: kew help SET POLICY
dspmqspl   | QMGR       | kew mqsc QMGR -e "DISPLAY POLICY(*)" | dspmqspl -export is kew dump QMGR --objects
rcdmqimg   | QMGR       | kew image QMGR |
rcrmqobj   | QMGR       | kew recover QMGR 1 | page sets are recovered, not objects
dspmqtrn   | QMGR       | kew units QMGR |
rsvmqtrn   | QMGR       | kew resolve QMGR XID --commit | or --backout
mqrc       | CODE       | kew help CODE |
mqconfig   |            | kew doctor |
mqcertck   | QMGR       | kew doctor QMGR | it does not look at certificates
runmqras   | QMGR       | kew doctor QMGR | errors/ of the queue manager has the rest
runmqlsr   | QMGR       | kew mqsc QMGR -e "START LISTENER(NAME)" | kew start QMGR --port N also listens
endmqlsr   | QMGR       | kew mqsc QMGR -e "STOP LISTENER(NAME)" |
runmqchi   | QMGR       | kew mqsc QMGR -e "START CHINIT" |
runmqchl   | QMGR       | kew mqsc QMGR -e "START CHANNEL(NAME)" |
strmqcsv   | QMGR       | kew mqsc QMGR -e "START CMDSERV" |
endmqcsv   | QMGR       | kew mqsc QMGR -e "STOP CMDSERV" |
dspmqcsv   | QMGR       | kew mqsc QMGR -e "DISPLAY CMDSERV" |
strmqtrc   | QMGR       | kew mqsc QMGR -e "START TRACE(CHINIT)" | kew help START TRACE has the kinds
endmqtrc   | QMGR       | kew mqsc QMGR -e "STOP TRACE(*)" |
runmqdlq   | QUEUE QMGR | kew dlqh QMGR QUEUE | the rules table comes from standard input
runmqtrm   | QMGR       | kew trigger QMGR |
runmqtmc   | QMGR       | kew trigger QMGR |
runmqakm   |            | kew tls | keys are PEM or PKCS #12
runmqckm   |            | kew tls | keys are PEM or PKCS #12
runmqktool |            | kew tls | keys are PEM or PKCS #12
amqsput    | QUEUE QMGR | kew put QMGR QUEUE TEXT |
amqsputc   | QUEUE QMGR | kew put QMGR QUEUE TEXT | --connect HOST(PORT) goes over the network
amqsget    | QUEUE QMGR | kew get QMGR QUEUE |
amqsgetc   | QUEUE QMGR | kew get QMGR QUEUE | --connect HOST(PORT) goes over the network
amqsbcg    | QUEUE QMGR | kew browse QMGR QUEUE --headers |
amqsbcgc   | QUEUE QMGR | kew browse QMGR QUEUE --headers | --connect HOST(PORT) goes over the network
amqsgbr    | QUEUE QMGR | kew browse QMGR QUEUE |
amqsmon    | QMGR       | kew smf | statistics and accounting are SMF records
amqsevt    | QMGR       | kew browse QMGR SYSTEM.ADMIN.PERFM.EVENT --headers | events are PCF messages
cph        |            | kew perf |
amqspub    |            | | there is no command that publishes
amqssub    |            | | there is no command that subscribes
amqsact    |            | | application activity is not traced
amqsrua    |            | | nothing is published below $SYS/MQ yet: use kew smf
amqsblst   |            | | use kew perf
crtmqcvx   |            | | data conversion exits cannot be loaded
dmpmqlog   |            | | the log has a format of its own
dspmqfls   |            | | objects have no files of their own: they are on page set 0
dspmqrte   |            | | routes are not traced
dspmqtrc   |            | | traces are written as text
addmqinf   |            | | a queue manager is a directory: kew list finds it
rmvmqinf   |            | | a queue manager is a directory: kew list finds it
dspmqinf   |            | | kew list shows the directories
dspmqinst  |            | | kew version shows the one there is
setmqinst  |            | | each Python environment is an installation
setmqm     |            | | each Python environment is an installation
setmqenv   |            | | the commands need no environment
crtmqenv   |            | | the commands need no environment
setmqprd   |            | | Kew needs no licence
mqlicense  |            | | Kew needs no licence
strmqweb   |            | | there is no web server: no console and no REST
endmqweb   |            | | there is no web server: no console and no REST
dspmqweb   |            | | there is no web server: no console and no REST
setmqweb   |            | | there is no web server: no console and no REST
strmqbrk   |            | | publish/subscribe starts with the queue manager
endmqbrk   |            | | ALTER QMGR PSMODE(DISABLED) ends publish/subscribe
dspmqbrk   | QMGR       | kew mqsc QMGR -e "DISPLAY PUBSUB" |
runswchl   |            | | there are no clusters yet
rdqmadm    |            | | there are no replicated queue managers yet
rdqmstatus |            | | there are no replicated queue managers yet
"""
_PLACEHOLDERS: Final = {"QMGR": "QM1", "QUEUE": "QUEUE", "CODE": "2035"}


class MQCommand(NamedTuple):
    """One of MQ's commands."""

    name: str
    operands: tuple[str, ...]
    here: str
    remark: str

    def answer(self, words: tuple[str, ...] = ()) -> str:
        """Give the command of Kew in place of this one, with its arguments."""
        if not self.here:
            return f"{self.name} is not there: {self.remark}."
        typed = " ".join([self.name, *[shlex.quote(word) for word in words]])
        remark = f"; {self._filled(self.remark, words)}" if self.remark else ""
        return f"{typed} is `{self._filled(self.here, words)}` here{remark}."

    def _filled(self, text: str, words: tuple[str, ...]) -> str:
        given: dict[str, str] = {}
        plain: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "-m":
                given["QMGR"] = next(rest, "")
            elif not word.startswith("-"):
                plain.append(word)
        open_operands = [operand for operand in self.operands if operand not in given]
        given.update(zip(open_operands, plain, strict=False))
        for operand in self.operands:
            text = text.replace(operand, shlex.quote(given.get(operand) or _PLACEHOLDERS[operand]))
        return text


def _read() -> dict[str, MQCommand]:
    found: dict[str, MQCommand] = {}
    for line in _TABLE.strip().split("\n"):
        name, operands, here, remark = [cell.strip() for cell in line.split("|")]
        found[name] = MQCommand(name, tuple(operands.split()), here, remark)
    return found


MQ_COMMANDS: Final = _read()
