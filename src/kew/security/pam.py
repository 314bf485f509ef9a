"""Passwords checked by the operating system's Pluggable Authentication Modules, as AUTHENMD(PAM) requires.

The service is `ibmmq`, as in MQ, configured by /etc/pam.d/ibmmq or, without that file, by /etc/pam.d/other. On a system
without the PAM library every password is wrong.

PAM asks its questions by a callback. The answer is the password for a hidden prompt, the user for a visible one. PAM
frees the answers, so they are made by the C library.
"""

import ctypes
from functools import cache
from typing import Final

LIBRARY: Final = "libpam.so.0"
SERVICE: Final = "ibmmq"
_SUCCESS: Final = 0
_NO_MEMORY: Final = 5  # PAM_BUF_ERR
_UNSEEN: Final = 1  # PAM_PROMPT_ECHO_OFF
_SEEN: Final = 2  # PAM_PROMPT_ECHO_ON
_MOST_QUESTIONS: Final = 32


class _Question(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class _Answer(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("unused", ctypes.c_int)]


_Talk: Final = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int,
    ctypes.POINTER(ctypes.POINTER(_Question)),
    ctypes.POINTER(ctypes.POINTER(_Answer)),
    ctypes.c_void_p,
)


class _Conversation(ctypes.Structure):
    _fields_ = [("talk", _Talk), ("data", ctypes.c_void_p)]


@cache
def _libraries() -> tuple[ctypes.CDLL, ctypes.CDLL] | None:
    """Give PAM and the C library; None if one is missing."""
    try:
        pam, libc = ctypes.CDLL(LIBRARY), ctypes.CDLL(None)
        pam.pam_start.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(_Conversation), ctypes.c_void_p]
        pam.pam_authenticate.argtypes = pam.pam_acct_mgmt.argtypes = [ctypes.c_void_p, ctypes.c_int]
        pam.pam_end.argtypes = [ctypes.c_void_p, ctypes.c_int]
        libc.calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
        libc.calloc.restype = ctypes.c_void_p
        libc.strdup.argtypes = [ctypes.c_char_p]
        libc.strdup.restype = ctypes.c_void_p
    except (AttributeError, OSError):
        return None
    return pam, libc


def usable() -> bool:
    """Say whether this system has PAM."""
    return _libraries() is not None


def accepts(user: str, password: str, service: str = SERVICE, directory: str = "") -> bool:
    """Say whether PAM accepts a password, for a user who may log in now; `directory` replaces /etc/pam.d."""
    libraries = _libraries()
    if libraries is None or "\0" in user + password:
        return False
    pam, libc = libraries
    name, secret = user.encode(errors="replace"), password.encode(errors="replace")

    def talk(count: int, questions: object, answers: object, _data: object) -> int:
        if not 0 < count <= _MOST_QUESTIONS:
            return _NO_MEMORY
        made = libc.calloc(count, ctypes.sizeof(_Answer))
        if not made:
            return _NO_MEMORY
        given = ctypes.cast(made, ctypes.POINTER(_Answer))
        for number in range(count):
            style = questions[number].contents.style  # type: ignore[index]
            if style in (_UNSEEN, _SEEN):
                given[number].text = libc.strdup(secret if style == _UNSEEN else name)
        answers[0] = given  # type: ignore[index]
        return _SUCCESS

    conversation = _Conversation(_Talk(talk), None)
    handle = ctypes.c_void_p()
    begun = [service.encode(), name, ctypes.byref(conversation)]
    if directory:
        status = pam.pam_start_confdir(*begun, directory.encode(), ctypes.byref(handle))
    else:
        status = pam.pam_start(*begun, ctypes.byref(handle))
    if status != _SUCCESS:
        return False
    status = pam.pam_authenticate(handle, 0)
    if status == _SUCCESS:
        status = pam.pam_acct_mgmt(handle, 0)
    pam.pam_end(handle, status)
    return bool(status == _SUCCESS)
