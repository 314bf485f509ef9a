"""The file keystore.conf: the places of a program's key and of the certificates of others, by the names that MQ uses.

    cms.keystore = /home/alice/alice          PKCS #12 or PEM: this file, or the same name with .p12, .pfx or .pem
    cms.certificate = alice                   the label of the program's own certificate, where there are several
    cms.keystore_pass = secret                the password of the keystore
    cms.certificate.channel.APP.SVRCONN = app at the queue manager: the label for programs that cannot protect

    pem.private = /home/alice/key.pem         the private key
    pem.public = /home/alice/certificates.pem the program's own certificate and those of the others
    pem.password = secret                     the password of the private key

    crl.file = /home/alice/revoked.pem        revocation lists, PEM or DER; several with commas between them

Either the settings of `cms` are used or those of `pem`. The file is the one that MQS_KEYSTORE_CONF names, else
.mqs/keystore.conf of the home directory. A line that begins with # is a comment. A name that is not in this list is
refused.
"""

import os
from collections.abc import Mapping
from typing import Final

from kew.protection.errors import KeystoreError

VARIABLE: Final = "MQS_KEYSTORE_CONF"
LONGEST: Final = 65536  # bytes
CHANNEL: Final = "cms.certificate.channel."
_KNOWN: Final = frozenset(
    {
        "cms.keystore",
        "cms.certificate",
        "cms.keystore_pass",
        "pem.private",
        "pem.public",
        "pem.password",
        "crl.file",
    }
)
_OTHERS: Final = {
    "jks": "a keystore of Java cannot be read; keytool -importkeystore converts it to PKCS #12",
    "jceks": "a keystore of Java cannot be read; keytool -importkeystore converts it to PKCS #12",
    "jceracfks": "a key ring of RACF cannot be read",
    "pkcs11": "cryptographic hardware is not supported",
    "amscred": "protected passwords are not supported: keep the file where only its owner can read it",
}


class Settings:
    """The settings in a keystore.conf."""

    def __init__(self, path: str, values: Mapping[str, str]) -> None:
        self.path = path
        self._values = values

    def get(self, name: str) -> str:
        """Give a value; empty if the file does not have it."""
        return self._values.get(name, "")

    @property
    def kind(self) -> str:
        """The kind of the settings that are used: cms or pem."""
        kinds = {name.partition(".")[0] for name in self._values} & {"cms", "pem"}
        if len(kinds) != 1:
            raise KeystoreError(f"{self.path}: expected the names of either cms or pem")
        return kinds.pop()

    def channels(self) -> dict[str, str]:
        """Give the label of the certificate for each channel that has one."""
        return {name[len(CHANNEL) :]: value for name, value in self._values.items() if name.startswith(CHANNEL)}


def usual_path(environment: Mapping[str, str]) -> str:
    """Give the path of the keystore.conf that applies in a program's environment."""
    named = environment.get(VARIABLE, "")
    if named:
        return named
    home = environment.get("HOME", "") or os.path.expanduser("~")
    return os.path.join(home, ".mqs", "keystore.conf")


def read(path: str) -> Settings:
    """Read a keystore.conf; a missing file or an invalid line is refused."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST + 1)
    except OSError as problem:
        hint = f"; {VARIABLE} names another file"
        raise KeystoreError(f"{path}: {problem.strerror or problem}{hint}") from problem
    if len(raw) > LONGEST:
        raise KeystoreError(f"{path}: the file is longer than {LONGEST} bytes")
    try:
        return Settings(path, parse(raw.decode("utf-8"), path))
    except UnicodeDecodeError as problem:
        raise KeystoreError(f"{path}: the file is not UTF-8") from problem


def parse(text: str, path: str) -> dict[str, str]:
    """Read the text of a keystore.conf: the values by name."""
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        name, value = name.strip(), value.strip()
        where = f"{path}, line {number}"
        if not equals or not value:
            raise KeystoreError(f"{where}: expected NAME = VALUE")
        if not name.startswith(CHANNEL):
            name = name.lower()
            prefix, _, rest = name.partition(".")
            if prefix in _OTHERS:
                raise KeystoreError(f"{where}: {name}: {_OTHERS[prefix]}")
            if rest == "encrypted":
                if value.lower() != "no":
                    raise KeystoreError(f"{where}: {name}: {_OTHERS['amscred']}")
                continue
            if name not in _KNOWN:
                raise KeystoreError(f"{where}: {name} is not a known name; known are {', '.join(sorted(_KNOWN))}")
        if name in values:
            raise KeystoreError(f"{where}: {name} is given twice")
        values[name] = value
    return values
