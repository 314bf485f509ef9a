"""The options of MQ-CPH, with its letters; options without meaning here are refused."""

from dataclasses import dataclass, fields
from typing import Any, Final


class CphError(Exception):
    """Options, or a run, that MQ-CPH would refuse too."""


@dataclass
class CphOptions:
    """The options of a run."""

    tc: str = "Dummy"  # module
    ss: float = 10.0  # seconds between two lines of statistics; 0 for none
    ls: bool = False  # latency of thread 0
    nt: int = 1  # threads
    rl: float = 60.0  # seconds to run; 0 for ever
    id: str = ""
    su: bool = True  # the final summary
    wi: int = 1000  # milliseconds between the starts of two threads
    vo: int = 4  # verbosity: 0 nothing, 1 errors, 2 warnings, 3 information, 4 all
    iq: str = "REQUEST"
    oq: str = "REPLY"
    d: str = "DEST"
    db: int = 0
    dx: int = 0
    dn: int = 0
    jb: str = ""  # queue manager
    jt: str = "mqc"  # mqb: local bindings, mqc: client
    jh: str = "localhost"
    jp: int = 1414
    jc: str = "SYSTEM.DEF.SVRCONN"
    jl: str = ""  # CipherSpec
    kr: str = ""  # key repository
    us: str = ""
    pw: str = ""
    an: str = ""  # name of the application
    ms: int = 1000
    mf: str = ""  # file with the message
    mr: bool = False  # random text
    pp: bool = False
    ppn: bool = False
    tx: bool = False
    txp: bool = False
    txg: bool = False
    cc: int = 1
    to: float = 5.0  # seconds to wait for a message; less than 0 for ever
    co: bool | None = None  # correlation ids; as the module has it where it is not said
    cr: bool = True  # a responder copies the request
    rt: float = 0.0  # iterations a second
    mg: int = 0  # iterations of a session
    sn: int = 1  # sessions; 0 for no limit
    si: int = 0  # milliseconds between two sessions

    def wants_correlation(self, module: str) -> bool:
        """Say whether correlation ids are used; the default is MQ-CPH's."""
        return self.co if self.co is not None else module in ("Requester", "Responder", "PutGet")


_FIELDS: Final = {each.name: each for each in fields(CphOptions)}
# Options of MQ-CPH that Kew lacks: they are refused, since they would have no effect.
_ABSENT: Final = (
    "h", "hm", "hf", "v", "tr", "sd", "sp", "wt", "sh", "ts", "ve", "ar", "ccdt", "jf", "jy", "ql", "jw", "rs", "p1",
    "txz", "rf", "mh", "mfm", "cv", "cz", "cs", "gs", "dq", "cb", "cm", "du", "un", "tp", "rp", "yd",
)  # fmt: skip
_LOWEST: Final = {"nt": 1, "cc": 1, "ss": 0, "rl": 0, "ms": 0, "wi": 0, "mg": 0, "sn": 0, "si": 0, "rt": 0, "jp": 1}
_HIGHEST: Final = {"nt": 5000, "ms": 100 << 20, "jp": 65535, "vo": 4}


def parse(words: list[str]) -> CphOptions:
    """Parse a command line of MQ-CPH: each option a letter or two, with a value unless it is a flag."""
    options = CphOptions()
    at = 0
    while at < len(words):
        word = words[at]
        name = word.removeprefix("-")
        if not word.startswith("-") or not name:
            raise CphError(f"{word!r} is not a valid option")
        if name in _ABSENT:
            raise CphError(f"-{name} of MQ-CPH is not supported here")
        if name not in _FIELDS:
            raise CphError(f"there is no option -{name}")
        value = words[at + 1] if at + 1 < len(words) and not _is_option(words[at + 1]) else None
        at += 1 if value is None else 2
        setattr(options, name, _value(name, value))
    return _checked(options)


def _is_option(word: str) -> bool:
    return word.startswith("-") and not word[1:2].isdigit()


def _value(name: str, text: str | None) -> Any:
    default = _FIELDS[name].default
    if default is None or isinstance(default, bool):
        if text is None or text.lower() == "true":
            return True
        if text.lower() == "false":
            return False
        raise CphError(f"-{name} is true or false, not {text!r}")
    if text is None:
        raise CphError(f"-{name} needs a value")
    if isinstance(default, str):
        return text
    try:
        number = float(text) if isinstance(default, float) else int(text)
    except ValueError:
        raise CphError(f"-{name} is a number, not {text!r}") from None
    low, high = _LOWEST.get(name, -1), _HIGHEST.get(name, 10**9)
    if not low <= number <= high:
        raise CphError(f"-{name} is from {low} to {high}, not {text}")
    return number


def _checked(options: CphOptions) -> CphOptions:
    if options.jt not in ("mqb", "mqc"):
        raise CphError(f"-jt is mqb or mqc, not {options.jt!r}")
    if options.pp and options.ppn:
        raise CphError("-pp or -ppn, not both")
    if options.tx and (options.txp or options.txg):
        raise CphError("-txp and -txg do not go with -tx")
    if options.kr and not options.jl:
        raise CphError("-kr goes with a CipherSpec, -jl")
    return options
