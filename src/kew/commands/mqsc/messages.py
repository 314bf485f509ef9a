"""The numbered replies of MQSC commands."""

from typing import Final

# Syntax.
SYNTAX: Final = "AMQ8405I"
UNEXPECTED_END: Final = "AMQ8406E"
DUPLICATE: Final = "AMQ8411E"
NUMBER: Final = "AMQ8412E"
LENGTH: Final = "AMQ8413E"
BAD_NAME: Final = "AMQ8424E"
VALID_COMMANDS: Final = "AMQ8426I"
VALID_SYNTAX: Final = "AMQ8427I"
FILTER: Final = "AMQ8569E"
TOO_LONG: Final = "CSQN901E"
REFUSED: Final = "CSQN902E"
CONFLICT: Final = "CSQN903E"
NO_COMMAND: Final = "CSQN904E"
ADVICE: Final = "CSQN905I"  # where exactly, and what was expected
NOT_YET: Final = "CSQN906E"
FAILED: Final = "CSQN907E"

TEXTS: Final = {
    SYNTAX: "Syntax error detected at or near end of command segment below:-",
    UNEXPECTED_END: "Unexpected 'end of input' in MQSC.",
    DUPLICATE: "Duplicate Keyword Error.",
    NUMBER: "Numeric Range Error.",
    LENGTH: "String Length Error.",
    BAD_NAME: "Error detected in a name keyword.",
    VALID_COMMANDS: "Valid MQSC commands are:",
    VALID_SYNTAX: "Valid syntax for the MQSC command:",
    FILTER: "Error in filter specification.",
    TOO_LONG: "The command is too long.",
    REFUSED: "Not supported by Kew.",
    CONFLICT: "The attributes do not go together.",
    NO_COMMAND: "Kew does not have this command.",
    NOT_YET: "Kew does not do this yet.",
    FAILED: "The command could not be carried out.",
    # Messages of commands that have succeeded.
    "AMQ8005I": "Kew queue manager changed.",
    "AMQ8006I": "Kew queue created.",
    "AMQ8007I": "Kew queue deleted.",
    "AMQ8008I": "Kew queue changed.",
    "AMQ8010I": "Kew process created.",
    "AMQ8011I": "Kew process deleted.",
    "AMQ8012I": "Kew process changed.",
    "AMQ8014I": "Kew channel created.",
    "AMQ8015I": "Kew channel deleted.",
    "AMQ8016I": "Kew channel changed.",
    "AMQ8018I": "Start Kew channel accepted.",
    "AMQ8019I": "Stop Kew channel accepted.",
    "AMQ8020I": "Ping Kew channel complete.",
    "AMQ8021I": "Request to start Kew listener accepted.",
    "AMQ8022I": "Kew queue cleared.",
    "AMQ8023I": "Kew channel reset.",
    "AMQ8024I": "Kew channel initiator started.",
    "AMQ8025I": "Resolve Kew channel complete.",
    "AMQ8079I": "Command server details.",
    "AMQ8094I": "Kew subscription created.",
    "AMQ8095I": "Kew subscription changed.",
    "AMQ8097I": "Kew subscription deleted.",
    "AMQ8101S": "Kew unexpected error.",
    "AMQ8135E": "Not authorized.",
    "AMQ8143E": "Kew queue {name} not empty.",
    "AMQ8144E": "Kew log not available.",
    "AMQ8146E": "Kew queue manager not available.",
    "AMQ8147E": "Kew object {name} not found.",
    "AMQ8148E": "Kew object {name} in use.",
    "AMQ8149S": "Kew object {name} damaged.",
    "AMQ8150E": "Kew object {name} already exists.",
    "AMQ8227E": "Channel not found.",
    "AMQ8415I": "Ping Kew Queue Manager command complete.",
    "AMQ8420I": "Channel Status not found.",
    "AMQ8565E": "Queue Status not found.",
    "AMQ8551I": "Kew namelist changed.",
    "AMQ8552I": "Kew namelist created.",
    "AMQ8553I": "Kew namelist deleted.",
    "AMQ8556I": "RESUME QMGR accepted.",
    "AMQ8557I": "SUSPEND QMGR accepted.",
    "AMQ8558I": "REFRESH CLUSTER accepted.",
    "AMQ8559I": "RESET CLUSTER accepted.",
    "AMQ8560I": "Kew security cache refreshed.",
    "AMQ8563I": "Kew authentication information object created.",
    "AMQ8564I": "Kew authentication information object deleted.",
    "AMQ8567I": "Kew authentication information changed.",
    "AMQ8623I": "Kew listener changed.",
    "AMQ8624I": "Kew service changed.",
    "AMQ8625I": "Kew service created.",
    "AMQ8626I": "Kew listener created.",
    "AMQ8627I": "Kew service deleted.",
    "AMQ8628I": "Kew listener deleted.",
    "AMQ8690I": "Kew topic created.",
    "AMQ8691I": "Kew topic changed.",
    "AMQ8692I": "Kew topic deleted.",
    "AMQ8706I": "Request to stop Kew listener accepted.",
    "AMQ8730I": "Listener already active.",
    "AMQ8731I": "Listener not active.",
    "AMQ8733I": "Request to start Kew service accepted.",
    "AMQ8734I": "Request to stop Kew service accepted.",
    "AMQ8457I": "Kew connection stopped.",
    "AMQ8773I": "Kew topic string cleared.",
    "AMQ8858I": "Kew communication information object created.",
    "AMQ8859I": "Kew communication information object changed.",
    "AMQ8860I": "Kew communication information object deleted.",
    "AMQ8862I": "Kew authority record set.",
    "AMQ8863I": "Kew authority record deleted.",
    "AMQ8877I": "Kew channel authentication record set.",
    "AMQ8884E": "Channel authentication record not found.",
    "AMQ9087I": "Kew policy set.",
    "AMQ9088I": "Kew policy deleted.",
    "CSQW137I": "Specified trace not active.",
    "AMQ9202E": "Remote host not available, retry later.",
    "AMQ9507E": "Channel '{name}' is not in the state of doubt that the command needs.",
    "AMQ9512E": "Ping operation is not valid for channel '{name}'.",
    "AMQ9513E": "Maximum number of channels reached.",
    "AMQ9514E": "Channel '{name}' is in use.",
    "AMQ9533W": "Channel '{name}' is not currently active.",
    "AMQ9999E": "Channel '{name}' ended abnormally.",
    "CSQX902E": "Channel initiator already active.",
    "CSQX903E": "Channel initiator not active.",
    "CSQ9022I": "'{command}' NORMAL COMPLETION",
    "CSQ9023E": "'{command}' ABNORMAL COMPLETION",
}

# Remedies for replies to refused commands; the lines after a reply have the details.
ACTIONS: Final = {
    SYNTAX: "Correct the command where the segment ends; the next lines show what is expected there.",
    UNEXPECTED_END: "Give the rest of the command: the next line says what is missing.",
    DUPLICATE: "Give each keyword once.",
    NUMBER: "Give a number of the range that the next line shows.",
    LENGTH: "Give a text of at most the length that the next line shows.",
    BAD_NAME: "Give a name of A-Z a-z 0-9 . / _ %; in quotation marks where it has lower case letters.",
    FILTER: "Write WHERE(attribute operator value), with an attribute of the object.",
    TOO_LONG: "Split the command, or give the values of a list in several commands.",
    REFUSED: "Leave the attribute or the value out: the next line says why it is refused.",
    CONFLICT: "Leave one of the attributes out: the next line says which do not go together.",
    NO_COMMAND: "Use what the next line names in its place; 'kew help' lists the commands.",
    NOT_YET: "Leave it out: the function behind it is not there; README says what is not there yet.",
    FAILED: "Remove the cause that the next line names, and give the command again.",
    "AMQ8101S": "Keep the FDC file under errors/ and report it together with the command.",
    "AMQ8135E": "Let a user with authority give the command, or SET AUTHREC; AMQERR01.LOG says what was refused.",
    "AMQ8143E": "CLEAR QLOCAL first, or DELETE with PURGE.",
    "AMQ8144E": "AMQERR01.LOG says what is wrong with the log; start the queue manager again when it is mended.",
    "AMQ8146E": "Start the queue manager with 'kew start'; 'kew status' shows which run.",
    "AMQ8147E": "Correct the name; DISPLAY with a generic name such as (*) lists what there is.",
    "AMQ8148E": "Close it in the programs that use it: DISPLAY QSTATUS TYPE(HANDLE) or DISPLAY CONN shows them.",
    "AMQ8149S": "Bring the object's page set back with 'kew restore' or 'kew recover', or delete the object.",
    "AMQ8150E": "Choose another name, or give REPLACE to replace the definition.",
    "AMQ8227E": "Correct the name of the channel; DISPLAY CHANNEL(*) lists them.",
    "AMQ8420I": "Nothing: no channel of that name is in use.",
    "AMQ8565E": "Correct the name of the queue; DISPLAY QLOCAL(*) lists them.",
    "AMQ8884E": "Correct the channel and the rule; DISPLAY CHLAUTH(*) lists the records.",
    "AMQ9202E": "See that the queue manager at the address runs and that its listener has the port.",
    "AMQ9507E": "DISPLAY CHSTATUS(name) SAVED shows INDOUBT; RESOLVE CHANNEL decides about a batch that is in doubt.",
    "AMQ9512E": "PING a channel that calls its partner: SDR, SVR with CONNAME or CLUSSDR.",
    "AMQ9513E": "Let channels end that have nothing to do, or raise MaxChannels in qm.ini.",
    "AMQ9514E": "STOP CHANNEL first; DISPLAY CHSTATUS shows what the channel is doing.",
    "AMQ9999E": "The error log of the partner says why; its address is in CONNAME.",
    "AMQ9533W": "Nothing: the channel has ended already, or never ran.",
    "CSQW137I": "DISPLAY TRACE(*) lists the traces that are running.",
    "CSQX902E": "Nothing: it runs already.",
    "CSQX903E": "START CHINIT starts it.",
    "CSQ9023E": "Remove the cause that the messages before this one name.",
}


def text_of(message_id: str, command: str = "", name: str = "") -> str:
    """Return a reply as it is printed: number, colon, text."""
    return f"{message_id}: {TEXTS[message_id].replace('{command}', command).replace('{name}', name)}"
