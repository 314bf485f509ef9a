"""The structures of pymqi: of their first version unless a program sets another, and bytes only."""

from kew.codes.structures import (
    MQCD_VERSION_6,
    MQCFH_VERSION_1,
    MQGMO_VERSION_1,
    MQMD_VERSION_1,
    MQOD_VERSION_1,
    MQPMO_VERSION_1,
)
from kew.faces import layouts, pcf, rfh2, structure
from kew.faces.structure import changed, layout_of
from kew.pymqi.differences import CHANNELS
from kew.pymqi.errors import PYIFError

_NEWER_THAN_8 = (
    "KeyRepoPassword",
    "KeyRepoPasswordOffset",
    "KeyRepoPasswordLength",
    "HTTPSCertValidation",
    "HTTPSCertRevocation",
    "HTTPSKeyStore",
    "HTTPSKeyStoreOffset",
    "HTTPSKeyStoreLength",
)


class MQOpts(structure.MQOpts):
    """The base class of all structures, and of any that a program describes by a list of fields."""

    _strict = True


class Structure(MQOpts, structure.Structure):
    """A structure with a layout of its class."""


class MD(Structure):
    """MQMD: message descriptor."""

    _layout = layout_of(changed(layouts.MD, (), "", Version=MQMD_VERSION_1))


class OD(Structure):
    """MQOD: object descriptor."""

    _layout = layout_of(changed(layouts.OD, (), "", Version=MQOD_VERSION_1))


class GMO(Structure):
    """MQGMO: get message options."""

    _layout = layout_of(changed(layouts.GMO, (), "", Version=MQGMO_VERSION_1))


class PMO(Structure):
    """MQPMO: put message options."""

    _layout = layout_of(changed(layouts.PMO, (), "", Version=MQPMO_VERSION_1, PubLevel=0))


class SD(Structure):
    """MQSD: subscription descriptor."""

    _layout = layout_of(changed(layouts.SD, (), "", SubLevel=0))


class CD(Structure):
    """MQCD: channel definition."""

    _layout = layout_of(
        changed(
            layouts.CD,
            ("pad", "QuantumSafeAlgorithm", "QuantumSafeRequired"),
            "",
            Version=MQCD_VERSION_6,
            StrucLength=CHANNELS["MQCD_CURRENT_LENGTH"],
        )
    )


class SCO(Structure):
    """MQSCO: TLS configuration."""

    _layout = layout_of(changed(layouts.SCO, _NEWER_THAN_8, ""))


class TM(Structure):
    """MQTM: trigger message."""

    _layout = layout_of(changed(layouts.TM, (), ""))


class TMC2(Structure):
    """MQTMC2: trigger message, character form."""

    _layout = layout_of(changed(layouts.TMC2, (), ""))


class CMHO(Structure):
    """MQCMHO: create message handle options."""

    _layout = layout_of(changed(layouts.CMHO, (), ""))


class IMPO(Structure):
    """MQIMPO: inquire message property options."""

    _layout = layout_of(changed(layouts.IMPO, (), ""))


class PD(Structure):
    """MQPD: property descriptor."""

    _layout = layout_of(changed(layouts.PD, (), ""))


class SMPO(Structure):
    """MQSMPO: set message property options."""

    _layout = layout_of(changed(layouts.SMPO, (), ""))


class SRO(Structure):
    """MQSRO: subscription request options."""

    _layout = layout_of(changed(layouts.SRO, (), ""))


class XQH(Structure):
    """MQXQH: transmission queue header, without its message descriptor."""

    _layout = layout_of(changed(layouts.XQH, (), ""))


class RFH2(Structure, rfh2.RFH2):
    """MQRFH2: rules and formatting header 2, with its folders as fields."""

    _layout = layout_of(changed(layouts.RFH2, (), ""))
    initial_opts = [[name, default, form] for name, form, default in changed(layouts.RFH2, (), "")]
    big_endian_encodings = [1, 16, 256, 768, 17, 257, 272, 273]
    _problem = PYIFError
    _whole_xml = True

    def is_big_endian(self, encoding: int) -> bool:
        """Say whether the package treats an encoding as big-endian."""
        return encoding in self.big_endian_encodings


class CFH(Structure, pcf.CFH):
    """MQCFH: header of a PCF message."""

    _layout = layout_of(changed(layouts.CFH, (), "", Version=MQCFH_VERSION_1))


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
