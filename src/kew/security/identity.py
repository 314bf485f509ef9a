"""Users of a queue manager, their groups and their passwords.

A queue manager has a file of its own users, kept by `kew user`, one on a line:

    name:$scrypt$ln=14,r=8,p=1$<salt>$<hash>:group,group

The first line of the file is a file header (`storage/fileheader.py`). Salt and hash are in Base64. A user in the file
has the groups of its line and no others. For other users the operating system gives the groups, and with AUTHENMD(PAM)
PAM checks the password; without AUTHENMD(PAM) their passwords are refused.

The file is replaced as a whole: written under another name, synced, renamed. A crash leaves the old one or the new one.
"""

import base64
import binascii
import grp
import hashlib
import hmac
import os
import pwd
import secrets
import threading
from collections.abc import Callable, Iterable
from typing import Final

from kew.security import pam
from kew.storage.disk import Disk
from kew.storage.fileheader import USERS, Identity, check_text, text_header

COST: Final = 14  # N is two to this power: 16 MB and some 50 ms a check
BLOCK: Final = 8
LANES: Final = 1
MOST_COST: Final = 17
SALT: Final = 16
HASH: Final = 32
LONGEST_NAME: Final = 64
LONGEST_PASSWORD: Final = 1024
LARGEST_FILE: Final = 16 << 20
AT_ONCE: Final = 4  # checks of passwords, since each takes memory
_FORBIDDEN: Final = frozenset(":,\n\r\0*?\"' ")


class BadUser(ValueError):
    """The error for an invalid user, group, password or line of the file; the text says why."""


def process_user() -> str:
    """Give the name of the user that runs this process."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def check_word(word: str, what: str) -> None:
    """Refuse a name of a user or group that the file or commands cannot contain."""
    if not word or len(word) > LONGEST_NAME or not word.isprintable() or not _FORBIDDEN.isdisjoint(word):
        raise BadUser(
            f"{word!r} is not a valid name of a {what}: 1 to {LONGEST_NAME} characters, no blanks, quotes or : , * ?"
        )


def check_password(password: str) -> None:
    """Refuse a password that is empty, too long or has a null character."""
    if not password or len(password.encode()) > LONGEST_PASSWORD or "\0" in password:
        raise BadUser(f"a password has 1 to {LONGEST_PASSWORD} bytes")


def _hash(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    memory = 256 * (1 << cost) * block + (1 << 20)
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << cost, r=block, p=lanes, maxmem=memory, dklen=HASH)


class Secret:
    """A stored password: a salted hash, from which the password cannot be computed."""

    def __init__(self, cost: int, block: int, lanes: int, salt: bytes, digest: bytes) -> None:
        self.cost = cost
        self.block = block
        self.lanes = lanes
        self.salt = salt
        self.digest = digest

    @classmethod
    def of(cls, password: str, cost: int = COST) -> "Secret":
        """Hash a password."""
        check_password(password)
        salt = secrets.token_bytes(SALT)
        return cls(cost, BLOCK, LANES, salt, _hash(password, salt, cost, BLOCK, LANES))

    @classmethod
    def read(cls, text: str) -> "Secret":
        """Read a stored password; raise BadUser if it is not valid."""
        parts = text.split("$")
        try:
            _empty, scheme, parameters, salt, digest = parts
            cost, block, lanes = [int(each.partition("=")[2]) for each in parameters.split(",")]
            found = cls(
                cost, block, lanes, base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True)
            )
        except (ValueError, binascii.Error):
            raise BadUser("it has no password that can be read") from None
        sensible = scheme == "scrypt" and 1 <= cost <= MOST_COST and 1 <= block <= 32 and 1 <= lanes <= 16
        if not sensible or len(found.digest) != HASH:
            raise BadUser("its password was kept in a way that is not known here")
        return found

    def write(self) -> str:
        """Give the text that the file holds."""
        salt, digest = base64.b64encode(self.salt).decode(), base64.b64encode(self.digest).decode()
        return f"$scrypt$ln={self.cost},r={self.block},p={self.lanes}${salt}${digest}"

    def fits(self, password: str) -> bool:
        """Say whether a password is right, in a time that does not depend on the password."""
        return hmac.compare_digest(_hash(password, self.salt, self.cost, self.block, self.lanes), self.digest)


class User:
    """A user of the queue manager."""

    def __init__(self, name: str, secret: Secret, groups: Iterable[str] = ()) -> None:
        check_word(name, "user")
        self.name = name
        self.secret = secret
        self.groups = tuple(dict.fromkeys(groups))
        for group in self.groups:
            check_word(group, "group")

    def line(self) -> str:
        """Give the line of the file."""
        return f"{self.name}:{self.secret.write()}:{','.join(self.groups)}\n"


def read_users(text: str) -> dict[str, User]:
    """Read a file of users; raise BadUser with the number of the line if it is damaged."""
    found: dict[str, User] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split(":")
        try:
            if len(parts) != 3:
                raise BadUser("a line is name:password:groups")
            user = User(parts[0], Secret.read(parts[1]), [group for group in parts[2].split(",") if group])
            if user.name in found:
                raise BadUser("it stands there twice")
        except BadUser as bad:
            raise BadUser(f"line {number} ({parts[0][:LONGEST_NAME]!r}): {bad}") from bad
        found[user.name] = user
    return found


class UserFile:
    """The file of a queue manager's users."""

    def __init__(self, disk: Disk, path: str, owner: Identity) -> None:
        self._disk = disk
        self.path = path
        self._owner = owner

    def read(self) -> dict[str, User]:
        """Give the users; empty if there is no file. BadUser for a bad line, FileRefused for another file."""
        if not self._disk.exists(self.path):
            return {}
        file = self._disk.open(self.path)
        try:
            size = file.size()
            if size > LARGEST_FILE:
                raise BadUser(f"{self.path} is larger than {LARGEST_FILE >> 20} MB")
            data = file.pread(size, 0)
        finally:
            file.close()
        check_text(self.path, data, USERS, self._owner.name, self._owner.key)
        try:
            return read_users(data.decode())
        except UnicodeDecodeError:
            raise BadUser(f"{self.path} is not text") from None

    def write(self, users: Iterable[User]) -> None:
        """Replace the file; it is complete and on disk when this returns."""
        draft = self.path + ".new"
        if self._disk.exists(draft):
            self._disk.remove(draft)
        file = self._disk.open(draft, create=True)
        try:
            lines = [text_header(USERS, self._owner), *[user.line() for user in users]]
            file.pwrite("".join(lines).encode(), 0)
            file.sync()
        finally:
            file.close()
        self._disk.rename(draft, self.path)
        self._disk.sync_directory(os.path.dirname(self.path))


class Directory:
    """The users of a running queue manager."""

    def __init__(self, file: UserFile, ask_system: Callable[[str, str], bool] = pam.accepts) -> None:
        self._file = file
        self._ask_system = ask_system
        self._users: dict[str, User] = {}
        self._nobody = Secret(COST, BLOCK, LANES, bytes(SALT), bytes(HASH))  # fits no password
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        # A program that connects for every few messages would pay 50 ms each time: a password that was right is
        # recognised by a quick hash under a key of this process. A wrong password is always checked the slow way.
        self._key = secrets.token_bytes(HASH)
        self._proven: dict[str, tuple[Secret, bytes]] = {}

    def reload(self) -> None:
        """Read the file again; a file that cannot be read counts as empty."""
        self._users = {}
        self._proven = {}
        self._users = self._file.read()

    def knows(self, user: str) -> bool:
        """Say whether a user is in the file."""
        return user in self._users

    def groups_of(self, user: str) -> tuple[str, ...]:
        """Give the groups of a user, from the file or else from the operating system."""
        known = self._users.get(user)
        if known is not None:
            return known.groups
        try:
            entry = pwd.getpwnam(user)
        except (KeyError, ValueError):
            return ()
        names = []
        for number in os.getgrouplist(user, entry.pw_gid):
            try:
                names.append(grp.getgrgid(number).gr_name)
            except KeyError:
                continue
        return tuple(names)

    def accepts(self, user: str, password: str, by_system: bool = False) -> bool:
        """Say whether a password is a user's; PAM checks those of users who are not in the file, if `by_system`.

        A check takes as long for an unknown user as for a known one; checks are made one at a time.
        """
        if self.recognises(user, password):
            return True
        known = self._users.get(user)
        secret = known.secret if known is not None else self._nobody
        given = password.encode(errors="surrogatepass")
        if len(given) > LONGEST_PASSWORD:
            return False
        with self._turns:
            if known is None and by_system:
                return self._ask_system(user, password)
            fits = secret.fits(password) and known is not None
        if fits:
            self._proven[user] = (secret, self._mark(given))
        return fits

    def recognises(self, user: str, password: str) -> bool:
        """Say whether a password was accepted since the file was read; takes little time."""
        known = self._users.get(user)
        proven = self._proven.get(user)
        given = password.encode(errors="surrogatepass")
        if known is None or proven is None or proven[0] is not known.secret or len(given) > LONGEST_PASSWORD:
            return False
        return hmac.compare_digest(proven[1], self._mark(given))

    def _mark(self, password: bytes) -> bytes:
        """Hash a password quickly, with a key of this process."""
        return hmac.digest(self._key, password, "sha256")
