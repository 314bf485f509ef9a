"""Refusals of PCF commands: a reason code and the parameter at fault."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import reasons as r
from kew.commands.actions.outcome import IN_USE, NOT_FOUND, Reply
from kew.commands.mqsc import messages
from kew.commands.pcf.tables import VALUE_REASONS
from kew.formats import pcf
from kew.objects.schema.values import COUNT, LENGTH, NAME, BadValue


class PCFRefusal(Exception):
    """The error of a PCF command that is refused; the command has changed nothing."""

    def __init__(self, reason: int, parameter: int = 0, selector: bool = False) -> None:
        super().__init__(f"{reason} {r.reason_name(reason)} {parameter}")
        self.reason = reason
        self.parameter = parameter  # the identifier that is at fault, 0 for none
        self.selector = selector  # whether it stands in the list of requested attributes

    def parameters(self) -> list[pcf.Parameter]:
        """Give the parameters of the reply that describe the error."""
        if not self.parameter:
            return []
        return [pcf.Integer(a.MQIACF_SELECTOR if self.selector else a.MQIACF_PARAMETER_ID, self.parameter)]


class StructureReasons:
    """The reasons for errors in one type of parameter structure."""

    def __init__(self, parameter: int, twice: int, length: int, count: int = r.MQRCCF_CFIL_COUNT_ERROR) -> None:
        self.parameter = parameter  # the command has no such parameter, or not in this structure
        self.twice = twice
        self.length = length
        self.count = count


_INTEGER: Final = StructureReasons(
    r.MQRCCF_CFIN_PARM_ID_ERROR, r.MQRCCF_CFIN_DUPLICATE_PARM, r.MQRCCF_CFIN_LENGTH_ERROR
)
_LIST: Final = StructureReasons(r.MQRCCF_CFIL_PARM_ID_ERROR, r.MQRCCF_CFIL_DUPLICATE_VALUE, r.MQRCCF_CFIL_LENGTH_ERROR)
STRUCTURES: Final[dict[type[pcf.Parameter], StructureReasons]] = {
    pcf.Integer: _INTEGER,
    pcf.Integer64: _INTEGER,
    pcf.IntegerList: _LIST,
    pcf.Integer64List: _LIST,
    pcf.String: StructureReasons(
        r.MQRCCF_CFST_PARM_ID_ERROR, r.MQRCCF_CFST_DUPLICATE_PARM, r.MQRCCF_CFST_STRING_LENGTH_ERR
    ),
    pcf.StringList: StructureReasons(
        r.MQRCCF_CFSL_PARM_ID_ERROR,
        r.MQRCCF_CFSL_DUPLICATE_PARM,
        r.MQRCCF_CFSL_STRING_LENGTH_ERR,
        r.MQRCCF_CFSL_COUNT_ERROR,
    ),
    pcf.ByteString: StructureReasons(
        r.MQRCCF_CFBS_PARM_ID_ERROR, r.MQRCCF_CFBS_DUPLICATE_PARM, r.MQRCCF_CFBS_STRING_LENGTH_ERR
    ),
    pcf.Group: StructureReasons(r.MQRCCF_CFGR_PARM_ID_ERROR, r.MQRCCF_CFGR_PARM_ID_ERROR, r.MQRCCF_CFGR_LENGTH_ERROR),
    pcf.IntegerFilter: StructureReasons(
        r.MQRCCF_CFIF_PARM_ID_ERROR, r.MQRCCF_TOO_MANY_FILTERS, r.MQRCCF_CFIF_LENGTH_ERROR
    ),
    pcf.StringFilter: StructureReasons(
        r.MQRCCF_CFSF_PARM_ID_ERROR, r.MQRCCF_TOO_MANY_FILTERS, r.MQRCCF_CFSF_FILTER_VAL_LEN_ERR
    ),
    pcf.ByteStringFilter: StructureReasons(
        r.MQRCCF_CFBF_PARM_ID_ERROR, r.MQRCCF_TOO_MANY_FILTERS, r.MQRCCF_CFBF_FILTER_VAL_LEN_ERR
    ),
}


def unknown(parameter: pcf.Parameter) -> PCFRefusal:
    """Give the refusal of a parameter that the command does not have, or not with this structure type."""
    return PCFRefusal(STRUCTURES[type(parameter)].parameter, parameter.parameter)


def bad_value(parameter: pcf.Parameter, bad: BadValue) -> PCFRefusal:
    """Give the refusal of a value that its parameter cannot take."""
    structure = STRUCTURES[type(parameter)]
    if bad.problem == LENGTH:
        return PCFRefusal(structure.length, parameter.parameter)
    if bad.problem == COUNT and isinstance(parameter, pcf.IntegerList | pcf.StringList):
        return PCFRefusal(structure.count, parameter.parameter)
    reason = r.MQRCCF_OBJECT_NAME_ERROR if bad.problem == NAME else r.MQRCCF_ATTR_VALUE_ERROR
    return PCFRefusal(VALUE_REASONS.get(parameter.parameter, reason), parameter.parameter)


_BY_MESSAGE: Final = {
    "AMQ8135E": r.MQRC_NOT_AUTHORIZED,
    "AMQ8143E": r.MQRC_Q_NOT_EMPTY,
    "AMQ8149S": r.MQRC_OBJECT_DAMAGED,
    "AMQ8227E": r.MQRCCF_CHANNEL_NOT_FOUND,
    "AMQ8420I": r.MQRCCF_CHL_STATUS_NOT_FOUND,
    "AMQ8565E": r.MQRCCF_Q_STATUS_NOT_FOUND,
    IN_USE: r.MQRCCF_OBJECT_OPEN,
    messages.CONFLICT: r.MQRCCF_PARM_CONFLICT,
    messages.NOT_YET: r.MQRCCF_FUNCTION_RESTRICTED,
    messages.NO_COMMAND: r.MQRCCF_FUNCTION_RESTRICTED,
}
_NOT_FOUND: Final = {
    "CHANNEL": r.MQRCCF_CHANNEL_NOT_FOUND,
    "CHLAUTH": r.MQRCCF_CHLAUTH_NOT_FOUND,
    "CHSTATUS": r.MQRCCF_CHL_STATUS_NOT_FOUND,
    "CONN": r.MQRCCF_CONNECTION_ID_ERROR,
    "LSSTATUS": r.MQRCCF_LSTR_STATUS_NOT_FOUND,
    "POLICY": r.MQRCCF_POLICY_NOT_FOUND,
    "QSTATUS": r.MQRCCF_Q_STATUS_NOT_FOUND,
    "SBSTATUS": r.MQRC_NO_SUBSCRIPTION,
    "SUB": r.MQRC_NO_SUBSCRIPTION,
    "SVSTATUS": r.MQRCCF_SERV_STATUS_NOT_FOUND,
    "TPSTATUS": r.MQRCCF_TOPIC_STRING_NOT_FOUND,
    "THREAD": r.MQRCCF_NONE_FOUND,
    "TRACE": r.MQRCCF_NONE_FOUND,
    "CLUSQMGR": r.MQRCCF_NONE_FOUND,
}
_EXISTS: Final = {
    "CHANNEL": r.MQRCCF_CHANNEL_ALREADY_EXISTS,
    "CHLAUTH": r.MQRCCF_CHLAUTH_ALREADY_EXISTS,
    "SUB": r.MQRCCF_SUB_ALREADY_EXISTS,
}


def reason_of(reply: Reply, family: str) -> int:
    """Give the PCF reason code for the reply to a command that failed; `family` is that of its object."""
    if reply.message_id == NOT_FOUND:
        return _NOT_FOUND.get(family, r.MQRC_UNKNOWN_OBJECT_NAME)
    if reply.message_id == "AMQ8150E":
        return _EXISTS.get(family, r.MQRCCF_OBJECT_ALREADY_EXISTS)
    return _BY_MESSAGE.get(reply.message_id) or reply.reason or r.MQRCCF_COMMAND_FAILED
