"""Operator messages of the error log, the console and the job log, each with explanation and action.

A message id is MQ's where MQ has a message for the case; ids from 900 upwards within a component, such as CSQJ901W,
are Kew's own. The letter after CSQ stands for the package that sends the message.

Inserts are numbered as in MQ's error log: {a1} is ArithInsert1, a number; {c1} is CommentInsert1, a text. The comment
above each message describes its inserts.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

SEVERITIES: Final = {"I": 0, "W": 10, "E": 30, "A": 30, "S": 40, "T": 50}

_CSQ_SOURCES: Final = {
    "E": "sharing",
    "H": "security",
    "I": "storage/pages",
    "J": "storage/log",
    "M": "queues",
    "N": "commands",
    "P": "storage/buffers",
    "R": "storage/recovery",
    "T": "topics",
    "W": "accounting",
    "X": "channels",
    "Y": "qmgr",
}
# Numbers of AMQ messages that do not come from qmgr.
_AMQ_SOURCES: Final = {
    "6709": "storage/log",
    "6729": "storage/log",
    "7017": "storage/log",
    "7467": "storage/log",
    "7468": "storage/log",
    "7469": "storage/recovery",
    "7472": "objects",
    "8024": "channels",
    "9001": "channels",
    "9002": "channels",
    "9202": "channels",
    "9207": "channels",
    "9209": "channels",
    "9213": "channels",
    "9218": "channels",
    "9259": "channels",
    "9271": "channels",
    "9489": "channels",
    "9490": "channels",
    "9502": "channels",
    "9504": "channels",
    "9507": "channels",
    "9510": "channels",
    "9511": "channels",
    "9513": "channels",
    "9514": "channels",
    "9516": "channels",
    "9517": "channels",
    "9519": "channels",
    "9524": "channels",
    "9526": "channels",
    "9528": "channels",
    "9531": "channels",
    "9534": "channels",
    "9545": "channels",
    "9547": "channels",
    "9549": "channels",
    "9565": "channels",
    "9620": "channels",
    "9631": "channels",
    "9633": "channels",
    "9635": "channels",
    "9636": "channels",
    "9637": "channels",
    "9639": "channels",
    "9657": "channels",
    "9665": "channels",
    "9999": "channels",
    "5534": "security",
    "5540": "security",
    "5541": "security",
    "5542": "security",
    "8077": "security",
    "9776": "security",
    "9777": "security",
}


class Message(NamedTuple):
    """One row of the message table; the last letter of the message id gives the severity."""

    id: str
    text: str
    explanation: str
    action: str

    @property
    def source(self) -> str:
        """Give the package that sends the message."""
        return _AMQ_SOURCES.get(self.id[3:7], "qmgr") if self.id.startswith("AMQ") else _CSQ_SOURCES[self.id[3]]

    @property
    def severity(self) -> int:
        """Give MQ's severity: 0 information, 10 warning, 30 error, 40 severe, 50 terminating."""
        return SEVERITIES[self.id[-1]]


class Notices(Protocol):
    """A receiver of operator messages, such as the error log."""

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Send the operator a message with its numeric and its text inserts."""


class _Inserts(dict[str, object]):
    """Inserts by name; the text shows the name of an insert that the caller left out, and the message is still sent."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


NO_ACTION: Final = "None."

_TABLE: Final = (
    # Life of a queue manager.
    # c1 queue manager, c2 version
    Message(
        "AMQ8003I",
        "Queue manager '{c1}' started using V{c2}.",
        "Queue manager '{c1}' has restarted from its log and accepts work.",
        NO_ACTION,
    ),
    # c1 queue manager
    Message(
        "AMQ8004I",
        "Queue manager '{c1}' ended.",
        "Queue manager '{c1}' has ended. Its log and page sets agree, so that the next start has nothing to recover.",
        NO_ACTION,
    ),
    # a1 messages, c1 their number, a2 seconds
    Message(
        "CSQY906W",
        "{a1} more messages {c1} were not written to the error log in {a2} seconds.",
        "The number of messages that connection attempts can cause is limited, so that the error log keeps the other "
        "messages.",
        "Look at the messages that were written: they have the addresses and the reasons.",
    ),
    # c1 queue manager, c2 what kind of stop
    Message(
        "CSQY901I",
        "Queue manager '{c1}' is ending ({c2}).",
        "A quiesce lets work in progress finish and refuses new work; an immediate stop backs out uncommitted work.",
        NO_ACTION,
    ),
    # a1 connections, c1 queue manager, c2 their programs
    Message(
        "CSQY907W",
        "Queue manager '{c1}' ends at once with {a1} connections that have not ended: {c2}.",
        "The queue manager was asked to end, and these programs did not disconnect in the time that they had. "
        "Their connections are broken off and their uncommitted work is backed out.",
        "Programs that say FAIL_IF_QUIESCING are told at once. QuiesceGrace in qm.ini, or --grace of 'kew stop', gives "
        "them longer.",
    ),
    # c1 file
    Message(
        "CSQY908I",
        "{c1} and the certificates were read again.",
        "A SIGHUP came. The settings of the error log and the key repository are heeded from now on; other keys take "
        "effect at the next start.",
        NO_ACTION,
    ),
    # c1 process
    Message(
        "AMQ5008S",
        "An essential part of the queue manager, {c1}, is gone.",
        "Without {c1} the queue manager cannot keep its promises, so it ends. Nothing that was committed is lost.",
        "Look for the cause in the messages before this one and in the FDC file, then start the queue manager again.",
    ),
    # c1 queue manager, a1 process id
    Message(
        "CSQY902E",
        "Queue manager '{c1}' is already running as process {a1}.",
        "The lock of queue manager '{c1}' is held by process {a1}. Two processes on the same data would destroy it, "
        "so this start was refused and changed nothing.",
        "Use the running queue manager, or stop it first with 'kew stop {c1}'.",
    ),
    # a1 messages
    Message(
        "CSQY903W",
        "{a1} messages were not written to the error log.",
        "Messages came faster than the error log could be written, so some were dropped.",
        "Look at the messages before this one; SuppressMessage in qm.ini thins out a message that repeats itself.",
    ),
    # c1 service, c2 why
    Message(
        "CSQY904E",
        "Service '{c1}' did not start: {c2}.",
        "The service should start with the queue manager and could not. The queue manager works without it.",
        "Correct the SERVICE object, then use START SERVICE({c1}).",
    ),
    # a1 process, a2 its exit status; c1 service
    Message(
        "CSQY905I",
        "Process {a1} of service '{c1}' ended with status {a2}.",
        "A program that a SERVICE object starts has ended; a negative status is the signal that ended it.",
        NO_ACTION,
    ),
    # c1 queue manager, c2 data directory
    Message(
        "AMQ8118E",
        "Queue manager '{c1}' does not exist.",
        "There is no queue manager '{c1}' under {c2}.",
        "Correct the name, set KEW_DATA to the directory that holds it, or create it with 'kew create {c1}'.",
    ),
    # c1 queue manager, c2 directory
    Message(
        "AMQ8110E",
        "Queue manager '{c1}' already exists.",
        "The directory {c2} already holds queue manager '{c1}'; nothing was changed.",
        "Choose another name, or delete the queue manager first with 'kew delete {c1}'.",
    ),
    # c1 file, a1 line, c2 key or stanza, c3 value, c4 what is allowed
    Message(
        "AMQ9224E",
        "Configuration file {c1}, line {a1}: '{c2}' cannot be '{c3}'; allowed is: {c4}.",
        "The value was not understood or is out of range. Nothing of the file was heeded: a queue manager was not "
        "started, and one that runs keeps the settings that it has.",
        "Correct line {a1} of {c1}, then start the queue manager again.",
    ),
    # c1 file, c2 what was found, c3 what was expected, c4 remedy
    Message(
        "CSQY909E",
        "File {c1} is refused: it is {c2}, expected was {c3}.",
        "The file does not belong where it is, or another version of Kew wrote it. Nothing was changed.",
        "{c4}.",
    ),
    # c1 path, c2 operation, a1 errno
    Message(
        "AMQ6708E",
        "No space is left for {c1}.",
        "The operation '{c2}' failed because the file system that holds {c1}, or a quota on it, is full (error {a1}).",
        "Make room there; KEW_DATA says where queue managers are kept.",
    ),
    # c1 path, c2 operation, c3 error text, a1 errno
    Message(
        "AMQ6119S",
        "File operation '{c2}' on {c1} failed: {c3}.",
        "The operating system answered error {a1} ({c3}) when '{c2}' was tried on {c1}.",
        "Check that the file system is mounted, writable and sound, and that the user of the queue manager may use it.",
    ),
    # c1 FDC file, c2 probe, c3 what failed
    Message(
        "AMQ6184W",
        "An internal error occurred in {c3}; details are in {c1}.",
        "Something happened that should not ({c3}, probe {c2}). The state at that moment was written to {c1}.",
        "Keep the file and report it together with the steps that led to it.",
    ),
    # a1 process
    Message(
        "AMQ5022I",
        "The channel initiator has started. ProcessId({a1}).",
        "Listeners can be started, and programs can come in by the network.",
        NO_ACTION,
    ),
    # a1 process
    Message(
        "AMQ5023I",
        "The channel initiator has ended. ProcessId({a1}).",
        "Listeners have ended, and connections from the network are refused until it is started again.",
        NO_ACTION,
    ),
    # a1 process, a2 port, c1 listener, c2 address
    Message(
        "AMQ5026I",
        "The listener '{c1}' has started on {c2}({a2}). ProcessId({a1}).",
        "Clients and other queue managers can connect to {c2}({a2}).",
        NO_ACTION,
    ),
    # a1 process, c1 listener
    Message(
        "AMQ5027I",
        "The listener '{c1}' has ended. ProcessId({a1}).",
        "It refuses new connections; existing connections stay.",
        NO_ACTION,
    ),
    # a1 port, a2 errno, c1 listener, c2 error text
    Message(
        "AMQ9218E",
        "Listener '{c1}' could not bind to port {a1}: {c2}.",
        "The operating system refused port {a1} to listener '{c1}' with error {a2}. Most often another program has it.",
        "End the other program, or give the listener another port (ALTER LISTENER, or kew start --port), and start it.",
    ),
    # a1 errno, c1 listener, c2 error text
    Message(
        "AMQ9213E",
        "A communications error for TCP/IP occurred: listener '{c1}' cannot take connections: {c2}.",
        "The operating system answered accept() with error {a1}. New connections wait; the listener keeps trying.",
        "End programs that hold connections they do not need, or raise the limit of open files (kew doctor names it).",
    ),
    # Connections by a channel that are refused, or end badly.
    # c1 channel, c2 address
    Message(
        "AMQ9519E",
        "Channel '{c1}' not found.",
        "A program at {c2} wants to come in by the channel '{c1}', and there is no definition of it.",
        "Correct the name that the program gives, which counts capitals, or define the channel.",
    ),
    # c1 channel, c2 address
    Message(
        "AMQ9502E",
        "Type of channel '{c1}' not suitable for action requested.",
        "A program at {c2} wants to come in by the channel '{c1}', which is not a server-connection channel.",
        "Let the program give the name of a channel with CHLTYPE(SVRCONN).",
    ),
    # c1 channel, c2 address
    Message(
        "AMQ9534E",
        "Channel '{c1}' is currently not enabled.",
        "The program at {c2} was refused, since the channel was stopped by STOP CHANNEL.",
        "START CHANNEL('{c1}') lets programs in again.",
    ),
    # a1 limit, c1 channel, c2 address
    Message(
        "AMQ9513E",
        "Maximum number of channels reached.",
        "The program at {c2} was refused on channel '{c1}', since {a1} instances of channels run already.",
        "Let programs that have nothing to do disconnect, or raise MaxChannels and MaxActiveChannels in qm.ini.",
    ),
    # a1 limit, c1 channel, c2 address
    Message(
        "AMQ9489E",
        "The maximum number of instances, {a1}, of channel '{c1}' was reached.",
        "The program at {c2} was refused, since MAXINST of the channel lets no more in.",
        "Let programs that have nothing to do disconnect, or raise MAXINST with ALTER CHANNEL.",
    ),
    # a1 limit, c1 channel, c2 address
    Message(
        "AMQ9490E",
        "The maximum number of instances, {a1}, of channel '{c1}' was reached for an individual client.",
        "The program at {c2} was refused, since MAXINSTC of the channel lets no more in from one address.",
        "Let programs at {c2} that have nothing to do disconnect, or raise MAXINSTC with ALTER CHANNEL.",
    ),
    # c1 channel, c2 address
    Message(
        "AMQ9639E",
        "Remote channel '{c1}' did not specify a CipherSpec.",
        "The channel '{c1}' has an SSLCIPH, and the program at {c2} came without TLS.",
        "Let the program use a CipherSpec that fits, or take SSLCIPH from the channel with ALTER CHANNEL.",
    ),
    # c1 channel, c2 address, c3 negotiated
    Message(
        "AMQ9635E",
        "Channel '{c1}' did not specify a valid CipherSpec.",
        "The program at {c2} came by TLS ({c3}), and the channel '{c1}' has no SSLCIPH.",
        "Give the channel an SSLCIPH with ALTER CHANNEL, or let the program come without TLS.",
    ),
    # c1 channel, c2 address, c3 negotiated, c4 wanted
    Message(
        "AMQ9631E",
        "The CipherSpec negotiated during the TLS handshake does not match the required CipherSpec for channel '{c1}'.",
        "The program at {c2} and the queue manager agreed on {c3}; the channel wants {c4}.",
        "Let the program use the CipherSpec {c4}, or change SSLCIPH of the channel.",
    ),
    # c1 channel, c2 address
    Message(
        "AMQ9637E",
        "Channel '{c1}' is lacking a certificate.",
        "The channel has SSLCAUTH(REQUIRED), and the program at {c2} gave no certificate.",
        "Give the program a certificate, or change SSLCAUTH of the channel.",
    ),
    # c1 channel, c2 address, c3 name in the certificate, c4 pattern
    Message(
        "AMQ9636E",
        "TLS distinguished name does not match peer name, channel '{c1}'.",
        "The certificate of the program or queue manager at {c2} is that of '{c3}'; SSLPEER of the channel is '{c4}'.",
        "Use another certificate, or change SSLPEER of the channel.",
    ),
    # c1 address, c2 why
    Message(
        "AMQ9633E",
        "Bad TLS certificate from host '{c1}'.",
        "The handshake came to nothing before a channel was named: {c2}.",
        "See that each side has the authority that vouches for the other's certificate, and that neither has expired.",
    ),
    # c1 address
    Message(
        "AMQ9665E",
        "TLS connection closed by remote end at host '{c1}'.",
        "The handshake had begun, and the other side ended it before a channel was named.",
        "Look at what the program or its error log says; most often it does not trust the queue manager's certificate.",
    ),
    # c1 address, c2 why
    Message(
        "AMQ9620E",
        "TLS handshake with host '{c1}' failed: {c2}.",
        "No keys were agreed on, and no channel began.",
        "See that the program offers TLS 1.2 or 1.3 and a CipherSpec that Kew has (kew help SSLCIPH).",
    ),
    # c1 address, c2 channel, c3 why
    Message(
        "AMQ9207E",
        "The data received from host '{c1}' is not valid.",
        "The partner on channel '{c2}' does not speak MQ's protocol as a client does: {c3}.",
        "See what connects from {c1}. One that speaks TLS needs a key repository here (SSLKEYR).",
    ),
    # c1 file, c2 why
    Message(
        "AMQ9062E",
        "The keystore configuration file '{c1}' cannot be used.",
        "No channel protects messages for its programs, since the file cannot be read: {c2}.",
        "Correct the file, and restart the queue manager.",
    ),
    # c1 channel, c2 why
    Message(
        "AMQ9063E",
        "Channel '{c1}' cannot protect messages for its programs.",
        "A program opened a queue with a policy, and the keystore of the channel cannot be used: {c2}.",
        "Correct the keystore that cms.keystore names in keystore.conf, and let the program connect again.",
    ),
    # c1 address, c2 channel
    Message(
        "AMQ9209E",
        "Connection to host '{c1}' for channel '{c2}' closed.",
        "The program or queue manager at {c1} has gone without disconnecting. Its uncommitted work was backed out.",
        "If that is not meant, see whether {c1} or the network between has failed. A sending channel tries again.",
    ),
    # c1 address, c2 channel, c3 what was waited for
    Message(
        "AMQ9271E",
        "Channel '{c2}' timed out.",
        "The program at {c1} sent nothing in time ({c3}). Its uncommitted work was backed out.",
        "See whether the program hangs or the network between has failed.",
    ),
    # Message channels.
    # c1 channel
    Message(
        "AMQ9001I",
        "Channel '{c1}' ended normally.",
        "The channel ended after its last batch was confirmed.",
        NO_ACTION,
    ),
    # c1 channel
    Message(
        "AMQ9002I",
        "Channel '{c1}' is starting.",
        "The transmission queue is opened, then the partner is called.",
        NO_ACTION,
    ),
    # c1 channel, c2 addresses and what each answered
    Message(
        "AMQ9202E",
        "Remote host not available, retry later. Channel '{c1}'.",
        "No address of CONNAME accepted a connection: {c2}.",
        "See that the queue manager there runs and that its listener has the port; PING CHANNEL('{c1}') tries at once.",
    ),
    # c1 channel, c2 address, c3 what was waited for
    Message(
        "AMQ9259E",
        "Connection timed out from host '{c2}'. Channel '{c1}'.",
        "The partner gave no sign in time ({c3}). The batch that was not confirmed is settled at the next start.",
        "See whether the queue manager at {c2} hangs, or the network between has failed.",
    ),
    # a1 status code, c1 channel, c2 address, c3 error
    Message(
        "AMQ9504E",
        "A protocol error was detected for channel '{c1}'. Type {a1}.",
        "The partner at {c2} has broken the protocol of message channels: {c3}. The channel ended.",
        "Report it for a partner that is Kew; for another, see which version of MQ it has.",
    ),
    # c1 channel, c2 queue manager
    Message(
        "AMQ9507E",
        "Channel '{c1}' is currently in-doubt.",
        "The partner '{c2}' cannot say whether a batch has arrived: its synchronisation record was lost or replaced, "
        "or the partner is not Kew. No message is sent until an operator has decided.",
        "Compare CURLUWID of DISPLAY CHSTATUS('{c1}') SAVED here with LSTLUWID there: equal, RESOLVE CHANNEL('{c1}') "
        "ACTION(COMMIT), else ACTION(BACKOUT).",
    ),
    # a1 reason, c1 channel, c2 transmission queue, c3 reason's name or error
    Message(
        "AMQ9510E",
        "Messages cannot be retrieved from queue '{c2}'.",
        "Channel '{c1}' met reason {a1} ({c3}) at its transmission queue. The channel ended.",
        "Mend what the reason names: 'kew help reason {a1}' explains it. The channel tries again.",
    ),
    # a1 reason, c1 channel, c2 error
    Message(
        "AMQ9511E",
        "Messages cannot be put to a queue by channel '{c1}'.",
        "A call of the receiving channel failed with reason {a1}: {c2}. The batch was backed out.",
        "Mend what the reason names. The partner sends the batch again.",
    ),
    # c1 channel, c2 transmission queue
    Message(
        "AMQ9514E",
        "Channel '{c1}' is in use.",
        "The channel needs the transmission queue '{c2}' for itself, and another channel or program has it open.",
        "DISPLAY QSTATUS('{c2}') TYPE(HANDLE) shows which; the channel tries again.",
    ),
    # c1 queue, c2 error
    Message(
        "AMQ9516E",
        "The channel initiator cannot read queue '{c1}'.",
        "Trigger messages of the queue start no channels now: {c2}.",
        "Allow gets from {c1}, or define it again; the queue is tried every ten seconds.",
    ),
    # c1 queue, c2 error
    Message(
        "AMQ9517E",
        "A synchronisation record on '{c1}' is damaged.",
        "The record cannot be read ({c2}) and counts as lost: the partner may have to decide about a batch in doubt.",
        "Leave {c1} to channels: no program may change its messages.",
    ),
    # c1 channel
    Message(
        "AMQ9524E",
        "Channel '{c1}' ended: the same partner has called again.",
        "The earlier connection of the partner is taken for dead; its uncommitted work was backed out.",
        "If that comes again and again, two queue managers use one name: see which partner has a copy of another.",
    ),
    # a1 number here, a2 number expected, c1 channel, c2 queue manager
    Message(
        "AMQ9526E",
        "Message sequence number error for channel '{c1}'.",
        "This end goes on with number {a1}, and the partner '{c2}' expects {a2}.",
        "See why the two differ, then RESET CHANNEL('{c1}') SEQNUM({a2}) at the sending end.",
    ),
    # c1 channel
    Message(
        "AMQ9528I",
        "User requested stop of channel '{c1}'.",
        "The channel ended because of STOP CHANNEL.",
        NO_ACTION,
    ),
    # c1 channel, c2 queue
    Message(
        "AMQ9531E",
        "Transmission queue specification error for channel '{c1}'.",
        "The queue '{c2}' does not have USAGE(XMITQ).",
        "ALTER QLOCAL('{c2}') USAGE(XMITQ), or name another queue as XMITQ of the channel.",
    ),
    # a1 reason, c1 channel, c2 queue, c3 name of the reason
    Message(
        "AMQ9541E",
        "Data conversion failed for channel '{c1}'.",
        "A message of '{c2}' could not be converted for the partner, as CONVERT(YES) asks for: {a1} {c3}.",
        "The message is on the dead-letter queue. See its format and character set, or use CONVERT(NO).",
    ),
    # c1 channel, c2 queue manager
    Message(
        "AMQ9544W",
        "Messages not put to destination queue. Channel '{c1}'.",
        "The queue manager '{c2}' has put messages of the channel on its dead-letter queue.",
        "The error log there and the MQDLH in front of each message say why. kew dead-letters can put them again.",
    ),
    # c1 channel
    Message(
        "AMQ9545I",
        "Disconnect interval expired. Channel '{c1}'.",
        "No message came for DISCINT seconds.",
        NO_ACTION,
    ),
    # c1 channel, c2 address, c3 type
    Message(
        "AMQ9547E",
        "Type of remote channel not suitable for action requested. Channel '{c1}'.",
        "A queue manager at {c2} wants to send by the channel '{c1}', which is of type {c3} here.",
        "Define the channel as RCVR here, or as the type that fits at the other end.",
    ),
    # c1 channel, c2 queue
    Message(
        "AMQ9549E",
        "Transmission queue '{c2}' inhibited for MQGET.",
        "Channel '{c1}' ended, since gets from its transmission queue are inhibited.",
        "ALTER QLOCAL('{c2}') GET(ENABLED), then START CHANNEL('{c1}').",
    ),
    # a1 reason, c1 channel, c2 queue, c3 reason's name
    Message(
        "AMQ9565E",
        "No dead-letter queue took a message for queue '{c2}'. Channel '{c1}'.",
        "The queue refused the message with reason {a1} ({c3}), and there is no dead-letter queue, it is full, or the "
        "channel has USEDLQ(NO). The batch was backed out, and the partner keeps its messages.",
        "Mend the queue '{c2}', or give the queue manager a dead-letter queue: ALTER QMGR DEADQ(name).",
    ),
    # a1 status code, c1 channel, c2 address, c3 what the code means
    Message(
        "AMQ9999E",
        "Channel '{c1}' to host '{c2}' ended abnormally.",
        "The partner ended the channel with status {a1}: {c3}.",
        "The error log of the queue manager at {c2} says why. A sending channel tries again.",
    ),
    # c1 channel
    Message(
        "CSQX904W",
        "Channel '{c1}' has tried as often as SHORTRTY and LONGRTY allow, and is stopped.",
        "The messages before this one say why the channel could not run. Its transmission queue has GET(DISABLED) now.",
        "Remove the cause, then START CHANNEL('{c1}').",
    ),
    # a1 messages, c1 channel
    Message(
        "CSQX905W",
        "Channel '{c1}' has lost up to {a1} non-persistent messages.",
        "The connection broke while they were on their way. With NPMSPEED(FAST) such messages are in no batch.",
        "None, or NPMSPEED(NORMAL) at either end, with which non-persistent messages are sent again too.",
    ),
    # c1 channel, c2 queue manager, c3 address, c4 why
    Message(
        "CSQX906E",
        "Channel '{c1}' is in use, and '{c2}' at {c3} may not take the place of the earlier instance.",
        "{c4}.",
        "STOP CHANNEL('{c1}') MODE(FORCE) STATUS(INACTIVE) ends the earlier instance, if its partner is gone.",
    ),
    # c1 channel, c2 type, c3 model, c4 address
    Message(
        "CSQX907I",
        "Channel '{c1}' has been defined automatically.",
        "A partner at {c4} named the channel, which did not exist. The channel is of type {c2} and a copy of {c3}.",
        "Look at its MCAUSER and channel authentication records. ALTER QMGR CHAD(DISABLED) ends such definitions.",
    ),
    # c1 channel, c2 type, c3 address, c4 why
    Message(
        "CSQX908E",
        "Channel '{c1}' could not be defined automatically.",
        "A partner at {c3} named the channel, which did not exist and was to be of type {c2}: {c4}.",
        "Remove the cause, or DEFINE CHANNEL('{c1}') CHLTYPE({c2}).",
    ),
    # a1 limit, c1 channel
    Message(
        "AMQ9573E",
        "Maximum number of active channels reached. Channel '{c1}'.",
        "{a1} channels are active, which ACTCHL or MaxActiveChannels in qm.ini allows. The channel waits in STARTING.",
        "None: the channel starts when another has ended. ALTER QMGR ACTCHL(number) allows more.",
    ),
    # c1 channel
    Message(
        "AMQ9574I",
        "Channel '{c1}' can now be started.",
        "Another channel has ended, so that one more may be active.",
        NO_ACTION,
    ),
    # Users and their authority.
    # c1 user
    Message(
        "AMQ5534E",
        "User ID '{c1}' authentication failed.",
        "The user and the password that a program gave do not belong together, or there is no such user.",
        "Give the right password, or make the user with 'kew user add'.",
    ),
    # c1 where from
    Message(
        "AMQ5540E",
        "The program at {c1} did not supply a user ID and password.",
        "The queue manager asks for a user and a password, and the program that connects gives none.",
        "Let the program give them, or look at the two messages that say which rule asks.",
    ),
    # c1 the rule, c2 the object
    Message(
        "AMQ5541I",
        "The failed authentication check was caused by the queue manager CONNAUTH {c1} configuration.",
        "The object {c2}, which CONNAUTH of the queue manager names, says {c1}.",
        "Change it with ALTER AUTHINFO if that is not meant.",
    ),
    # c1 the rule, c2 the record
    Message(
        "AMQ5542I",
        "The failed authentication check was caused by the CHLAUTH record {c1} configuration.",
        "The channel authentication record {c2} says {c1}.",
        "Change it with SET CHLAUTH if that is not meant.",
    ),
    # c1 user, c2 object, c3 type of object, c4 authorities
    Message(
        "AMQ8077W",
        "Entity '{c1}' has insufficient authority to access object {c2} [{c3}].",
        "The user '{c1}' needs {c4} on {c2} [{c3}]. Neither the user nor a group of the user was given it.",
        "If the user should have it: SET AUTHREC PROFILE('{c2}') OBJTYPE({c3}) PRINCIPAL('{c1}') AUTHADD({c4}).",
    ),
    # c1 channel, c2 address, c3 user, c4 record
    Message(
        "AMQ9776E",
        "Channel '{c1}' was blocked by userid.",
        "The user '{c3}' from {c2} is on the list of the channel authentication record {c4}.",
        "DISPLAY CHLAUTH('{c1}') MATCH(RUNCHECK) with the address and the user shows the record.",
    ),
    # c1 channel, c2 address, c3 user, c4 record
    Message(
        "AMQ9777E",
        "Channel '{c1}' was blocked.",
        "The channel authentication record {c4} gives no access to '{c3}' from {c2}.",
        "DISPLAY CHLAUTH('{c1}') MATCH(RUNCHECK) with the address and the user shows the record.",
    ),
    # c1 channel, c2 address, c3 user
    Message(
        "CSQH902E",
        "Channel '{c1}' was refused: the user is not authenticated.",
        "The program at {c2} says that it is '{c3}'. The channel has no MCAUSER, no channel authentication record maps "
        "to a user, and no password was checked and adopted.",
        "Set MCAUSER of the channel, map with SET CHLAUTH ... MCAUSER, or give a user and password with ADOPTCTX(YES).",
    ),
    # c1 the object
    Message(
        "CSQH903E",
        "CONNAUTH of the queue manager names {c1}, which is not an AUTHINFO of type IDPWOS.",
        "Users and passwords cannot be checked, so every program that connects is refused (MQRC_NOT_AUTHORIZED). "
        "Commands of the owner on this machine are not.",
        "DEFINE AUTHINFO({c1}) AUTHTYPE(IDPWOS), or ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS).",
    ),
    # c1 where from, c2 why
    Message(
        "CSQH904E",
        "A program at {c1} was refused: {c2}.",
        "The queue manager could not find out as which user the program may connect.",
        "Remove the cause that the message names.",
    ),
    # a1 how often, a2 seconds, c1 user, c2 address
    Message(
        "CSQH905E",
        "Passwords of user '{c1}' or from {c2} were refused {a1} times in a row.",
        "A program may be guessing. Further refusals are told later and later, up to {a2} seconds; a right password is "
        "not held up.",
        "Find out which program it is; SET CHLAUTH('*') TYPE(BLOCKADDR) shuts an address out. MaxFailDelay of qm.ini "
        "limits the seconds.",
    ),
    # c1 path, c2 why
    Message(
        "CSQH901E",
        "The file of users {c1} cannot be used: {c2}.",
        "No user of the file can connect by password or belongs to a group until the file is repaired.",
        "Repair or remove the line, then REFRESH SECURITY(*).",
    ),
    # Comment 1: the version of OpenSSL that Python uses
    Message(
        "CSQX901W",
        "Secret keys of TLS are not renewed, since Python's ssl ({c1}) does not let them be.",
        "SSLRKEYC asks for it, but the OpenSSL that this Python was built with cannot be reached.",
        "Use a Python that has OpenSSL as a library of its own, as those of Linux distributions do.",
    ),
    # a1 bytes, a2 seconds, c1 address, c2 channel
    Message(
        "CSQX905W",
        "The socket of {c1} by channel '{c2}' was ended: it held {a1} bytes and moved nothing for {a2} seconds.",
        "A program has sent half of a long put, or has read half of a long reply, and does not go on. Its uncommitted "
        "work is backed out. It has StallTimeout seconds of qm.ini, and 5 while other sockets wait for memory.",
        "Check the program and the network. MaxMessageMemory of qm.ini is the limit for all sockets.",
    ),
    # c1 address, a1 the most connections that may wait to be admitted
    Message(
        "CSQX902W",
        "The connection from '{c1}' was closed before it was admitted, since {a1} others waited.",
        "Connections that are not yet authenticated use up no channels, but their number is limited. When another "
        "comes, the one is closed that has made no progress for longest, of the address that has most.",
        "If '{c1}' is not a program of yours, another party holds connections open; block the address with SET "
        "CHLAUTH TYPE(BLOCKADDR) or a firewall.",
    ),
    # c1 key repository, c2 why
    Message(
        "AMQ9657E",
        "The key repository {c1} cannot be used: {c2}.",
        "TLS needs certificate and private key in {c1}.pem. Without them channels with SSLCIPH refuse connections.",
        "Put the files in place, or change SSLKEYR with ALTER QMGR, and give REFRESH SECURITY TYPE(SSL).",
    ),
    # The log.
    # a1 bytes, c1 R or W, c2 threshold in microseconds, c3 measured microseconds
    Message(
        "AMQ6729W",
        "Log I/O operation ({c1}) exceeded threshold ({c2} microseconds).",
        "A Read (R) or Write (W) of {a1} bytes took longer than expected to complete. This might indicate a problem "
        "with your O/S or storage system. If this occurs frequently, queue manager performance is likely to be "
        "severely impacted.",
        "Investigate cause of long I/O times in your storage provision. If these delays are expected in your "
        "environment, the warning threshold can be increased by modifying the AMQ_IODELAY environment variable.",
    ),
    # c1 file
    Message(
        "AMQ7467I",
        "The oldest log file required to start the queue manager is {c1}.",
        "A restart would read the log from {c1} on. Older files are not needed for a restart.",
        NO_ACTION,
    ),
    # c1 file
    Message(
        "AMQ7468I",
        "The oldest log file required to recover damaged page sets is {c1}.",
        "Media recovery would read the log from {c1} on. Older files are not needed at all.",
        "Log files older than both this one and the one in AMQ7467I can be moved away.",
    ),
    # a1 units backed out
    Message(
        "AMQ7469W",
        "{a1} long-running units of work were backed out to release log space.",
        "The log was nearly full and its oldest part was held by units of work that had not ended. They were backed "
        "out so that the queue manager can go on; their programs see reason 2003.",
        "Let programs commit more often, or give the log more or larger files (LogPrimaryFiles, LogFilePages).",
    ),
    # c1 queue manager
    Message(
        "AMQ6709E",
        "The log for queue manager '{c1}' is full.",
        "No log space could be released, so persistent work is refused with reason 2102 until there is some.",
        "End long-running units of work; then give the log more files. For a linear log check that archiving works.",
    ),
    # c1 what is wrong
    Message(
        "AMQ7017S",
        "The log is not available: {c1}.",
        "The queue manager cannot use its log, and without a log it cannot start or go on.",
        "Restore access to the log. If its files are lost, restore them from the second copy or from a backup.",
    ),
    # a1 bytes, c1 log address
    Message(
        "CSQJ901W",
        "{a1} bytes at the end of the log, from address {c1}, were discarded.",
        "The last log write before the end was not completed. Nothing in it had been acknowledged to any program.",
        "None. If the queue manager did not end because of a failure, check the log's storage.",
    ),
    # a1 copy, a2 pages, c1 first file repaired, c2 log address
    Message(
        "CSQJ902W",
        "Copy {a1} of the log was repaired: {a2} pages from address {c2}, first in file {c1}.",
        "Pages of copy {a1} were damaged or missing and were written again from the other copy.",
        "Check the storage that holds copy {a1}.",
    ),
    # a1 copy, c1 file
    Message(
        "CSQJ903W",
        "File {c1} of log copy {a1} was missing and was made again from the other copy.",
        "Dual logging kept the log whole, although the file {c1} was gone.",
        "Find out why the file was gone: until this start only one copy of it existed.",
    ),
    # c1 file
    Message(
        "CSQJ904W",
        "The log's bootstrap file {c1} was repaired.",
        "One of the two records in the file, or one of its copies, was damaged; the other was used to restore it.",
        "None after a power failure. Otherwise check the storage that holds the file.",
    ),
    # a1 number of log files, c1 file
    Message(
        "CSQJ905I",
        "Secondary log file {c1} was formatted; the log now has {a1} files.",
        "All primary files were needed at once. Formatting a file takes time that a primary file would not have cost.",
        "If this happens often, raise LogPrimaryFiles or look for long-running units of work.",
    ),
    # a1 number of log files, c1 file
    Message(
        "CSQJ906I",
        "Secondary log file {c1} was released; the log now has {a1} files.",
        "The primary files suffice again.",
        NO_ACTION,
    ),
    # a1 errno, c1 file, c2 what failed
    Message(
        "CSQJ907E",
        "Log file {c1} could not be added: {c2}.",
        "The log needs another file and the system refused it (error {a1}). Work goes on in the files that exist.",
        "Free space on the file system of the log before the remaining files fill up.",
    ),
    # c1 archive file, c2 first and c3 last log address
    Message(
        "CSQJ908I",
        "Log addresses {c2} to {c3} were archived to {c1}.",
        "A full log file was copied to the archive and checked; it can be reused.",
        NO_ACTION,
    ),
    # a1 errno, c1 archive file, c2 what failed
    Message(
        "CSQJ909E",
        "The log could not be archived to {c1}: {c2}.",
        "The file stays in the active log (error {a1}) and is tried again. The log fills up as long as this lasts.",
        "Make the archive directory writable, or free space on its file system.",
    ),
    # a1 errno, c1 file, c2 what failed
    Message(
        "CSQJ910E",
        "Writing the log failed at {c1}: {c2}.",
        "After a failed write or sync (error {a1}) the contents of the disk are unknown, so no further work is "
        "acknowledged and the queue manager ends. Acknowledged work is safe.",
        "Repair the storage of the log, then start the queue manager: restart recovers everything committed.",
    ),
    # c1 file
    Message(
        "CSQJ912W",
        "The header of file {c1} was damaged and was written again.",
        "The first page of {c1} did not have the written bytes. Everything else in the file has checks of its own.",
        "Check the storage that holds {c1}.",
    ),
    # c1 file, c2 log address, c3 what is wrong
    Message(
        "CSQJ911E",
        "The log is damaged in file {c1} at address {c2}: {c3}.",
        "A part of the log that had been acknowledged cannot be read, and there is no second copy to read it from.",
        "Restore the file from a copy, or restore the page sets from a backup. Dual logging prevents this.",
    ),
    # Buffer pools and page sets.
    # c1 file, c2 error
    Message(
        "CSQP004E",
        "Input or output of page set file {c1} failed: {c2}.",
        "The page could not be read or written.",
        "Check the storage that holds the file. The queue manager must be started again if it has ended.",
    ),
    # a1 page set, a2 pages now, a3 pages added
    Message(
        "CSQP013I",
        "Page set {a1} was expanded by {a3} pages and now has {a2}.",
        "The page set was full and its EXPAND attribute allows growth.",
        NO_ACTION,
    ),
    # a1 page set, c1 file
    Message(
        "CSQP014E",
        "Page set {a1} could not be expanded: {c1} cannot be made longer.",
        "Puts to queues on this page set fail with reason 2192 once no page is free.",
        "Free space on the file system of the page set, or let the queues drain.",
    ),
    # a1 page set, a2 pages
    Message(
        "CSQP016E",
        "Page set {a1} is full: all {a2} pages are in use.",
        "EXPAND(NONE) or the largest possible size prevents growth. Puts to its queues fail with reason 2192.",
        "Get messages from its queues, allow expansion with ALTER PSID, or move queues to another storage class.",
    ),
    # a1 buffer pool, a2 buffers
    Message(
        "CSQP020E",
        "Buffer pool {a1} is too small: nearly all of its {a2} buffers hold pages that are not written yet.",
        "Puts now wait for pages to be written, which slows every program that uses the pool.",
        "Enlarge the pool with ALTER BUFFPOOL({a1}) BUFFERS(n), or let the queues on it drain.",
    ),
    # a1 buffer pool, a2 buffers
    Message(
        "CSQP023I",
        "Buffer pool {a1} now has {a2} buffers.",
        "The pool was resized while the queue manager runs.",
        NO_ACTION,
    ),
    # a1 page set, c1 file, a2 page number
    Message(
        "CSQP901E",
        "Page set {a1} is damaged: page {a2} in {c1} fails its check.",
        "The page does not have the bytes that were written. Queues on this page set cannot be used; all others can.",
        "Recover the page set from a backup and the log with 'kew restore', or from a media image of a linear log.",
    ),
    # a1 page set, c1 file, c2 new name
    Message(
        "CSQP902W",
        "Damaged page set {a1} was kept aside as {c2}.",
        "The file {c1} was renamed so that nothing overwrites it and what can be read from it can still be read.",
        "Keep the file until its queues are recovered.",
    ),
    # c1 file, a1 page, c2 what is wrong
    Message(
        "CSQP905E",
        "Page {a1} of {c1} cannot be used: {c2}.",
        "Without it the queue manager does not know its objects, or the file is not what it should be.",
        "Recover the page set from a backup and the log with 'kew restore', or from a media image of a linear log.",
    ),
    # a1 page set, a2 pages, c1 file
    Message(
        "CSQP906I",
        "Page set {a1} was made with {a2} pages in {c1}.",
        "qm.ini names the page set {a1}, and it was never in use before.",
        NO_ACTION,
    ),
    # a1 page set, a2 pages, a3 pages wanted, c1 file
    Message(
        "CSQP907W",
        "Page set {a1} has {a2} pages, and Pages={a3} in qm.ini makes it no smaller.",
        "A page set grows to what Pages says when the queue manager starts. It never becomes smaller.",
        "Correct Pages of page set {a1} in qm.ini.",
    ),
    # a1 page set, a2 pages wanted, c1 file, c2 what failed
    Message(
        "CSQP908E",
        "Page set {a1} could not be made as large as qm.ini says, {a2} pages: {c2}.",
        "The file {c1} has the size that it had.",
        "Free space on the file system of {c1}, then start the queue manager again.",
    ),
    # a1 page set, c1 file
    Message(
        "CSQP903E",
        "The file {c1} of page set {a1} is missing.",
        "Queues on this page set cannot be used; all others can.",
        "Put the file back, or recover the page set from a backup and the log with 'kew restore'.",
    ),
    # c1 queue, c2 index type, c3 connection type and name, a1 messages skipped
    Message(
        "CSQI004I",
        "Consider indexing {c1} by {c2} for connection {c3}: {a1} messages skipped.",
        "A program repeatedly gets from {c1} by an identifier that the queue is not indexed by, so that each get looks "
        "at the messages before the one it wants.",
        "ALTER QLOCAL({c1}) INDXTYPE({c2}) when the queue is idle.",
    ),
    # c1 queue, c2 PROPINDX with a property, a1 gets
    Message(
        "CSQI902I",
        "Consider indexing {c1} by {c2}: {a1} gets with a selection string have passed other messages.",
        "A program repeatedly gets from {c1} the messages in which a property has a certain value, so that each get "
        "asks its selection string of the messages before the one it wants.",
        "ALTER QLOCAL({c1}) CUSTOM('{c2}'), with what CUSTOM says already.",
    ),
    # Restart and recovery.
    # c1 queue manager, c2 log address
    Message(
        "CSQR001I",
        "Restart of '{c1}' begins; its last checkpoint is at log address {c2}.",
        "The queue manager reads its log from there, or from the oldest unit of work that was open there.",
        NO_ACTION,
    ),
    # a1 milliseconds, c1 log megabytes per second
    Message(
        "CSQR002I",
        "Restart completed in {a1} milliseconds, reading the log at {c1} MB/s.",
        "Every committed change is in place, and every change that was not committed is gone.",
        NO_ACTION,
    ),
    # a1 in commit, a2 in doubt, a3 in flight or in backout
    Message(
        "CSQR004I",
        "Units of work found at restart: {a1} in commit, {a2} in doubt, {a3} in flight or in backout.",
        "Units in commit are completed, units in flight and in backout are backed out, units in doubt are kept.",
        "Resolve units in doubt with their coordinator, or with 'kew units' and 'kew resolve'.",
    ),
    # c1 unit, c2 outcome
    Message(
        "CSQR901I",
        "Unit of work {c1} in doubt was resolved: {c2}.",
        "A command or the unit's coordinator decided its outcome.",
        NO_ACTION,
    ),
    # Queues and verbs.
    # c1 streaming queue, c2 queue, a1 reason, c3 reason name
    Message(
        "CSQM587E",
        "Unable to put to streaming queue {c1} for queue {c2}, mqrc={a1} ({c3}).",
        "The copy of a message could not be put. With STRMQOS(BESTEF) the message itself was put; with "
        "STRMQOS(MUSTDUP) it was not. The message is logged once for a handle unless the reason changes.",
        "Remove the cause that the reason code names.",
    ),
    # a1 reason, c1 queue, c2 initiation queue, c3 reason name, c4 what became of it
    Message(
        "CSQM911W",
        "A trigger message for queue {c1} cannot be put to {c2}, mqrc={a1} ({c3}).",
        "The conditions for a trigger message were met and the initiation queue did not take it: {c4}.",
        "Remove the cause that the reason code names. The program is not started for this event.",
    ),
    # a1 reason, c1 queue, c2 reason name, c3 what became of it
    Message(
        "CSQM913W",
        "A delayed message for queue {c1} cannot be delivered, mqrc={a1} ({c2}).",
        "The time of the message has come and its queue does not take it: {c3}.",
        "Remove the cause that the reason code names. The message is logged once for each reason.",
    ),
    # a1 reason, c1 reason name, c2 queue
    Message(
        "CSQM912W",
        "TRIGGER of queue {c2} cannot be switched off, mqrc={a1} ({c1}).",
        "{c2} has TRIGTYPE(DEPTH) and has made its trigger message, after which TRIGGER is switched off.",
        "Remove the cause, then ALTER QLOCAL({c2}) NOTRIGGER; else it makes another trigger message after a restart.",
    ),
    # c1 queue, a1 reason, c2 reason name, a2 reason of the dead-letter queue, c3 its name
    Message(
        "CSQM902W",
        "A report for queue {c1} is lost, mqrc={a1} ({c2}).",
        "The queue manager could put the report neither on the reply-to queue nor, for reason {a2} ({c3}), on the "
        "dead-letter queue. The message that it is about is not affected.",
        "Remove the causes that the reason codes name, and give the queue manager a dead-letter queue (DEADQ).",
    ),
    # c1 queue, a1 reason, c2 reason name
    Message(
        "CSQM903W",
        "A message that was held for queue {c1} is lost, mqrc={a1} ({c2}).",
        "A program has ended that had the message held for this moment, as JMS does with the end of a subscription by "
        "queued publish/subscribe, and the queue did not take it.",
        "Remove the cause that the reason code names. A subscription that is left is ended by DELETE SUB.",
    ),
    # c1 object type and name, c2 why
    Message(
        "AMQ7472E",
        "Object {c1} is damaged: {c2}.",
        "The object cannot be used; calls that name it fail with reason 2101. Other objects are not affected.",
        "Recover the object from a backup or a media image, or delete and define it again.",
    ),
    # The command server.
    # a1 reason, c1 command queue, c2 reason name
    Message(
        "CSQN911W",
        "The command server no longer serves {c1}: reason {a1} ({c2}).",
        "A call of the command server failed. Commands that arrive on the queue are kept there.",
        "Remove the cause that the reason code names, then START CMDSERV.",
    ),
    # a1 reason, c1 queue, c2 reason name, c3 dead-letter queue
    Message(
        "CSQN912W",
        "A message for {c1} was put on the dead-letter queue {c3}: reason {a1} ({c2}).",
        "The command server could not use a message that arrived, or could not deliver a reply.",
        "Look at the message and the reason in its dead-letter header.",
    ),
    # a1 reason, c1 queue, c2 reason name, c3 why the dead-letter queue did not take it
    Message(
        "CSQN913W",
        "A message for {c1} was discarded: reason {a1} ({c2}).",
        "The command server could not use or deliver a message, and the dead-letter queue did not take it: {c3}.",
        "Name a dead-letter queue with ALTER QMGR DEADQ, and see that it is not full.",
    ),
    # c1 command queue, c2 error
    Message(
        "CSQN914E",
        "A command on {c1} met an internal error: {c2}.",
        "The message was put on the dead-letter queue. The command server goes on.",
        "Report the error together with the message.",
    ),
    # Queued publish/subscribe.
    # a1 reason, c1 queue, c2 reason name
    Message(
        "CSQT901W",
        "Queued publish/subscribe no longer serves {c1}: reason {a1} ({c2}).",
        "A call of the queued publish/subscribe interface failed. Commands that arrive on the queue are kept there.",
        "Remove the cause that the reason code names, then ALTER QMGR PSMODE(ENABLED).",
    ),
    # a1 reason, c1 queue, c2 reason name
    Message(
        "CSQT902W",
        "A message on {c1} was discarded: reason {a1} ({c2}).",
        "It is not a valid command of queued publish/subscribe, or could not be carried out, and is not persistent.",
        "See that programs put commands there only: messages that begin with an MQRFH, or an MQRFH2 with a folder psc.",
    ),
    # Channels and statistics.
    # a1 megabytes used, a2 megabytes free
    Message(
        "CSQX004I",
        "Channel initiator is using {a1} MB of local storage, {a2} MB are free.",
        "The storage that channels use, as it is now.",
        "If free storage runs low, lower MaxChannels or the number of clients.",
    ),
    # a1 records lost, c1 where they should have gone
    Message(
        "CSQW133E",
        "Trace data lost: {a1} records for {c1} could not be kept.",
        "Statistics and accounting records came faster than {c1} took them. The queue manager itself is not affected.",
        "Make the destination faster, or write fewer classes or less often.",
    ),
)

MESSAGES: Final[dict[str, Message]] = {message.id: message for message in _TABLE}


class FormattedMessage(NamedTuple):
    """The texts of a message with its inserts filled in."""

    id: str
    text: str
    explanation: str
    action: str


def format_message(message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> FormattedMessage:
    """Fill the inserts into a message; for an id that is not in the table, give the id with its inserts."""
    message = MESSAGES.get(message_id)
    if message is None:
        shown = ", ".join([*map(str, arith), *comments])
        return FormattedMessage(message_id, f"No text is known for this message ({shown}).", "", NO_ACTION)
    inserts = _Inserts()
    for number, value in enumerate(arith, 1):
        inserts[f"a{number}"] = value
    for number, comment in enumerate(comments, 1):
        inserts[f"c{number}"] = comment
    return FormattedMessage(
        message_id,
        message.text.format_map(inserts),
        message.explanation.format_map(inserts),
        message.action.format_map(inserts),
    )
