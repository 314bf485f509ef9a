"""The structures of ibmmq: of the newest version, with text accepted in fields of characters."""

from typing import Any

from kew.codes.structures import MQDLH_LENGTH_1, MQMD_LENGTH_1, MQMD_LENGTH_2, MQXQH_CURRENT_LENGTH
from kew.faces import layouts, pcf, rfh2, structure
from kew.faces.structure import BINARY_FIELDS, layout_of, text_of
from kew.ibmmq.errors import PYIFError


class MQOpts(structure.MQOpts):
    """The base class of all structures, and of any that a program describes by a list of fields."""

    def to_string(self, encoding: str = "utf8") -> Any:
        """Decode the fields of characters; ids and tokens stay bytes."""
        for name in self._layout.names:
            if name not in BINARY_FIELDS:
                setattr(self, name, text_of(getattr(self, name), encoding))
        return self


class Structure(MQOpts, structure.Structure):
    """A structure with a layout of its class."""


class MD(Structure):
    """MQMD: message descriptor."""

    _layout = layout_of(layouts.MD)


class MDE(Structure):
    """MQMDE: message descriptor extension."""

    _layout = layout_of(layouts.MDE)


class OD(Structure):
    """MQOD: object descriptor."""

    _layout = layout_of(layouts.OD)


class GMO(Structure):
    """MQGMO: get message options."""

    _layout = layout_of(layouts.GMO)


class PMO(Structure):
    """MQPMO: put message options."""

    _layout = layout_of(layouts.PMO)


class SD(Structure):
    """MQSD: subscription descriptor."""

    _layout = layout_of(layouts.SD)


class SRO(Structure):
    """MQSRO: subscription request options."""

    _layout = layout_of(layouts.SRO)


class STS(Structure):
    """MQSTS: status of asynchronous operations."""

    _layout = layout_of(layouts.STS)


class CNO(Structure):
    """MQCNO: connect options."""

    _layout = layout_of(layouts.CNO)


class CD(Structure):
    """MQCD: channel definition."""

    _layout = layout_of(layouts.CD)


class CSP(Structure):
    """MQCSP: security parameters."""

    _layout = layout_of(layouts.CSP)


class SCO(Structure):
    """MQSCO: TLS configuration."""

    _layout = layout_of(layouts.SCO)


class BNO(Structure):
    """MQBNO: balancing options."""

    _layout = layout_of(layouts.BNO)


class CBD(Structure):
    """MQCBD: callback descriptor."""

    _layout = layout_of(layouts.CBD)


class CBC(Structure):
    """MQCBC: callback context."""

    _layout = layout_of(layouts.CBC)


class CTLO(Structure):
    """MQCTLO: control callback options."""

    _layout = layout_of(layouts.CTLO)


class CMHO(Structure):
    """MQCMHO: create message handle options."""

    _layout = layout_of(layouts.CMHO)


class DMHO(Structure):
    """MQDMHO: delete message handle options."""

    _layout = layout_of(layouts.DMHO)


class PD(Structure):
    """MQPD: property descriptor."""

    _layout = layout_of(layouts.PD)


class SMPO(Structure):
    """MQSMPO: set message property options."""

    _layout = layout_of(layouts.SMPO)


class DMPO(Structure):
    """MQDMPO: delete message property options."""

    _layout = layout_of(layouts.DMPO)


class IMPO(Structure):
    """MQIMPO: inquire message property options."""

    _layout = layout_of(layouts.IMPO)


class TM(Structure):
    """MQTM: trigger message."""

    _layout = layout_of(layouts.TM)


class TMC2(Structure):
    """MQTMC2: trigger message, character form."""

    _layout = layout_of(layouts.TMC2)


class IIH(Structure):
    """MQIIH: IMS header."""

    _layout = layout_of(layouts.IIH)


class CIH(Structure):
    """MQCIH: CICS header."""

    _layout = layout_of(layouts.CIH)


class DLH(Structure):
    """MQDLH: dead-letter header."""

    _layout = layout_of(layouts.DLH)

    def get_header(self, buf: bytes) -> Any:
        """Give the header at the front of a message."""
        return self.unpack(buf[:MQDLH_LENGTH_1])


class XQH(Structure):
    """MQXQH: transmission queue header, without its message descriptor."""

    _layout = layout_of(layouts.XQH)

    def get_header(self, buf: bytes) -> Any:
        """Give the header at the front of a message."""
        return self.unpack(buf[: MQXQH_CURRENT_LENGTH - MQMD_LENGTH_1])

    def get_embedded_md(self, buf: bytes) -> MD:
        """Give the message descriptor in the header: of version 1, without the fields of version 2."""
        packed = buf[MQXQH_CURRENT_LENGTH - MQMD_LENGTH_1 : MQXQH_CURRENT_LENGTH].ljust(MQMD_LENGTH_2, b"\0")
        md: MD = MD().unpack(packed)
        for name in ("GroupId", "MsgSeqNumber", "Offset", "MsgFlags", "OriginalLength"):
            md._remove(name)
        return md


class RFH2(Structure, rfh2.RFH2):
    """MQRFH2: rules and formatting header 2, with its folders as fields."""

    initial_opts = [[name, default, form] for name, form, default in layouts.RFH2]
    _problem = PYIFError

    @staticmethod
    def get_folder_name(folder_data: bytes) -> str:
        """Give the name of a folder, from its first element."""
        return RFH2._name_of(folder_data)


class CFH(Structure, pcf.CFH):
    """MQCFH: header of a PCF message."""


class CFIN(Structure, pcf.CFIN):
    """MQCFIN: a number of 32 bits."""


class CFIN64(Structure, pcf.CFIN64):
    """MQCFIN64: a number of 64 bits."""


class CFIF(Structure, pcf.CFIF):
    """MQCFIF: filter on a number."""


class CFGR(Structure, pcf.CFGR):
    """MQCFGR: group of parameters."""


class CFIL(MQOpts, pcf.CFIL):
    """MQCFIL: list of numbers of 32 bits."""


class CFIL64(MQOpts, pcf.CFIL64):
    """MQCFIL64: list of numbers of 64 bits."""


class CFST(MQOpts, pcf.CFST):
    """MQCFST: characters."""


class CFBS(MQOpts, pcf.CFBS):
    """MQCFBS: bytes."""


class CFSL(MQOpts, pcf.CFSL):
    """MQCFSL: list of strings."""


class CFSF(MQOpts, pcf.CFSF):
    """MQCFSF: filter on characters."""


class CFBF(MQOpts, pcf.CFBF):
    """MQCFBF: filter on bytes."""


md = MD
od = OD
gmo = GMO
pmo = PMO
cd = CD
sco = SCO
