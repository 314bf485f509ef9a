"""Admission control for channels and the local socket: passwords, channel authentication records, MCAUSER.

The checks are made in this order, as in MQ with early adoption:

0. An attempt whose deciding record refuses every user is refused without a check of the password.
1. A user and password that are given are checked (CONNAUTH), and the user is adopted if the object says ADOPTCTX(YES).
2. The deciding channel authentication record refuses the attempt, or maps it to a user, or leaves the user
   to the channel.
3. The user is that of the record; else the adopted one; else the channel's MCAUSER. Without any of these the
   connection is refused. A user that the client only asserts is used for the match of records and for nothing else.
4. A BLOCKUSER record may refuse the user.
5. A password may be required by CHCKCLNT of the record or, if that is ASQMGR, of the object of CONNAUTH.
"""

from collections.abc import Callable
from typing import Final

from kew.codes.attributes import (
    MQADPCTX_YES,
    MQAUTHENTICATE_PAM,
    MQCHK_AS_Q_MGR,
    MQCHK_NONE,
    MQCHK_OPTIONAL,
    MQCHK_REQUIRED,
    MQCHK_REQUIRED_ADMIN,
    MQCHLA_DISABLED,
    MQRQ_CHANNEL_BLOCKED_ADDRESS,
    MQRQ_CHANNEL_BLOCKED_NOACCESS,
    MQRQ_CHANNEL_BLOCKED_USERID,
    MQRQ_CSP_NOT_AUTHORIZED,
    MQUSRC_MAP,
    MQUSRC_NOACCESS,
)
from kew.codes.errors import MQError
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.objects.catalogue import Catalogue, Record
from kew.security.addresses import BadAddress
from kew.security.admission import ConnectionAttempt
from kew.security.authority import Authority
from kew.security.channelrules import ChannelRules, Rule
from kew.security.identity import Directory

_LEVELS: Final = {MQCHK_REQUIRED: "REQUIRED", MQCHK_REQUIRED_ADMIN: "REQDADM"}


class BlockedConnection:
    """A connection attempt that was blocked, or that WARN(YES) let pass; reported by events."""

    def __init__(self, qualifier: int, arrival: ConnectionAttempt, user: str, only_warned: bool) -> None:
        self.qualifier = qualifier  # MQRQ_*
        self.arrival = arrival
        self.user = user
        self.only_warned = only_warned


class AuthenticationRules:
    """The rules of the authentication information object that CONNAUTH names."""

    def __init__(self, record: Record | None) -> None:
        values = record.values if record is not None else {}
        self.name = record.name if record is not None else ""
        self.client = _number(values.get("CHCKCLNT"), MQCHK_NONE)
        self.local = _number(values.get("CHCKLOCL"), MQCHK_NONE)
        self.adopts = values.get("ADOPTCTX") == MQADPCTX_YES
        self.delay = _number(values.get("FAILDLAY"), 0)
        self.by_system = values.get("AUTHENMD") == MQAUTHENTICATE_PAM


def _number(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise


class AdmissionControl:
    """The admission control of a queue manager."""

    def __init__(
        self,
        name: str,
        catalogue: Catalogue,
        authority: Authority,
        directory: Directory,
        notices: Notices,
        on_blocked: Callable[[BlockedConnection], None] | None = None,
    ) -> None:
        self.rules = ChannelRules(catalogue)
        self._on_blocked = on_blocked  # must not wait
        self._name = name
        self._catalogue = catalogue
        self._authority = authority
        self._directory = directory
        self._notices = notices

    # -- admission ---------------------------------------------------------------------------------------------------

    def blocks(self, address: str) -> bool:
        """Say whether connections from an address are refused at once (BLOCKADDR)."""
        if not self.rules_apply():
            return False
        try:
            found = self.rules.refusing_address(address)
        except BadAddress as bad:
            self._notices.tell("CSQH904E", (), (address, str(bad)))
            return True
        if found is not None:
            self._tell_blocked(
                MQRQ_CHANNEL_BLOCKED_ADDRESS, ConnectionAttempt("*", address), "", "BLOCKADDR", found.warns
            )
        return found is not None and not found.warns

    def recognises(self, user: str, password: str) -> bool:
        """Say whether a password was accepted before, so that a check takes little time."""
        return self._directory.recognises(user, password)

    def admit(self, arrival: ConnectionAttempt) -> str:
        """Give the user under whose authority the conversation runs; raises the `MQError` of a refusal."""
        checks = self._checks()
        client = not arrival.queue_manager
        if client and arrival.credentials is not None:
            self._refuse_anybody(arrival)
        proven = self._prove(arrival.credentials, checks, checks.client, arrival.address) if client else ""
        adopted = proven if checks.adopts else ""
        rule = self._decide(arrival, adopted or arrival.user)
        mapped = rule.mca_user if rule is not None and rule.source == MQUSRC_MAP else ""
        user = mapped or adopted or self.channel_user(arrival.channel)
        if not user:
            self._notices.tell("CSQH902E", (), (arrival.channel, arrival.address, arrival.user))
            raise self._refuse(MQRQ_CHANNEL_BLOCKED_USERID, arrival, "", why="nobody vouches for the user")
        if client:
            self._check_user(arrival, user)
            self._check_proof(rule, checks, user, proven, arrival)
        return user

    def admit_local(self, user: str, credentials: tuple[str, str] | None) -> str:
        """Give the user for a program on this machine; `user` is the one that the operating system reports."""
        checks = self._checks()
        proven = self._prove(credentials, checks, checks.local, "this machine")
        acting = proven if proven and checks.adopts else user
        if not proven and self._demands(checks.local, acting):
            self._tell_unproven("AMQ5541I", f"CHCKLOCL({_LEVELS[checks.local]})", checks.name, "this machine")
            raise MQError(MQRC_NOT_AUTHORIZED, user=acting, why="a user and password must be given")
        if not acting:
            raise self._refuse_untried("this machine", "there is no user")
        self._authority.groups_of(acting)
        return acting

    def delay(self, local: bool) -> int | None:
        """Give FAILDLAY; None if passwords are not checked."""
        wanted = str(self._manager("CONNAUTH") or "")
        checks = AuthenticationRules(self._catalogue.records.get(("AUTHINFO", wanted)))
        return None if (checks.local if local else checks.client) == MQCHK_NONE else checks.delay

    def rules_apply(self) -> bool:
        """Say whether channel authentication records are used (CHLAUTH of the queue manager)."""
        return self._manager("CHLAUTH") != MQCHLA_DISABLED

    def unusable_checks(self) -> str:
        """Give the name in CONNAUTH if its object cannot be used to check passwords; else blank."""
        wanted = str(self._manager("CONNAUTH") or "")
        record = self._catalogue.records.get(("AUTHINFO", wanted))
        return wanted if wanted and (record is None or record.kind != "IDPWOS") else ""

    def channel_user(self, channel: str) -> str:
        """Give the MCAUSER of a channel; blank for none."""
        record = self._catalogue.records.get(("CHANNEL", channel))
        return str(record.values.get("MCAUSER", "")).strip() if record is not None else ""

    # -- how it is decided --------------------------------------------------------------------------------------------

    def _manager(self, keyword: str) -> object:
        record = self._catalogue.records.get(("QMGR", self._name))
        return record.values.get(keyword) if record is not None else None

    def _checks(self) -> AuthenticationRules:
        wanted = str(self._manager("CONNAUTH") or "")
        if self.unusable_checks():
            self._notices.tell("CSQH903E", (), (wanted,))
            raise MQError(MQRC_NOT_AUTHORIZED, why=f"CONNAUTH({wanted}) is not an AUTHINFO of type IDPWOS")
        return AuthenticationRules(self._catalogue.records.get(("AUTHINFO", wanted)))

    def _prove(self, credentials: tuple[str, str] | None, checks: AuthenticationRules, level: int, where: str) -> str:
        """Check a password; gives its user, blank if none is given or checked. Raises if the password is wrong."""
        if credentials is None or level == MQCHK_NONE:
            return ""
        user, password = credentials
        if self._directory.accepts(user, password, checks.by_system):
            return user
        self._notices.tell("AMQ5534E", (), (user,))
        raise self._refuse(
            MQRQ_CSP_NOT_AUTHORIZED,
            ConnectionAttempt("", where, user),
            user,
            why="user and password",
            delay=checks.delay,
        )

    def _refuse_anybody(self, arrival: ConnectionAttempt) -> None:
        """Refuse a connection attempt that the records refuse whatever its user is."""
        if not self.rules_apply():
            return
        try:
            rule = self.rules.refusing_anybody(arrival)
        except BadAddress as bad:
            raise self._refuse_untried(arrival.address, str(bad)) from bad
        if rule is not None:
            self._tell_blocked(MQRQ_CHANNEL_BLOCKED_NOACCESS, arrival, arrival.user, rule.describe(), False)
            raise MQError(MQRC_NOT_AUTHORIZED, channel=arrival.channel, rule=rule.describe())

    def _decide(self, arrival: ConnectionAttempt, user: str) -> Rule | None:
        if not self.rules_apply():
            return None
        try:
            rule = self.rules.rule_for(arrival, user)
        except BadAddress as bad:
            raise self._refuse_untried(arrival.address, str(bad)) from bad
        if rule is None or rule.source != MQUSRC_NOACCESS:
            return rule
        self._tell_blocked(MQRQ_CHANNEL_BLOCKED_NOACCESS, arrival, user, rule.describe(), rule.warns)
        if not rule.warns:
            raise MQError(MQRC_NOT_AUTHORIZED, channel=arrival.channel, rule=rule.describe())
        return rule

    def _check_user(self, arrival: ConnectionAttempt, user: str) -> None:
        if not self.rules_apply():
            return
        administrator = self._authority.is_administrator(user)
        users = self.rules.refusing_user(arrival.channel, user, administrator)
        if users is None:
            return
        self._tell_blocked(MQRQ_CHANNEL_BLOCKED_USERID, arrival, user, users.describe(), users.warns)
        if not users.warns:
            raise MQError(MQRC_NOT_AUTHORIZED, channel=arrival.channel, user=user, rule=users.describe())

    def _check_proof(
        self, rule: Rule | None, checks: AuthenticationRules, user: str, proven: str, arrival: ConnectionAttempt
    ) -> None:
        if proven:
            return
        by_rule = rule is not None and rule.check_client != MQCHK_AS_Q_MGR
        level = rule.check_client if rule is not None and by_rule else checks.client
        if not self._demands(level, user):
            return
        said = f"CHCKCLNT({_LEVELS[level]})"
        named = rule.describe() if rule is not None and by_rule else checks.name
        self._tell_unproven("AMQ5542I" if by_rule else "AMQ5541I", said, named, arrival.address)
        raise self._refuse(MQRQ_CSP_NOT_AUTHORIZED, arrival, user, why=f"{said} of {named}", delay=checks.delay)

    def _demands(self, level: int, user: str) -> bool:
        if level in (MQCHK_NONE, MQCHK_OPTIONAL):
            return False
        return level == MQCHK_REQUIRED or self._authority.is_administrator(user)

    # -- reports ------------------------------------------------------------------------------------------------------

    def _tell_unproven(self, message: str, rule: str, named: str, where: str) -> None:
        self._notices.tell("AMQ5540E", (), (where,))
        self._notices.tell(message, (), (rule, named))

    def _tell_blocked(self, qualifier: int, arrival: ConnectionAttempt, user: str, rule: str, warns: bool) -> None:
        message = "AMQ9776E" if qualifier == MQRQ_CHANNEL_BLOCKED_USERID else "AMQ9777E"
        said = f"{rule} WARN(YES)" if warns else rule
        self._notices.tell(message, (), (arrival.channel, arrival.address, user, said))
        if self._on_blocked is not None:
            self._on_blocked(BlockedConnection(qualifier, arrival, user, warns))

    def _refuse_untried(self, where: str, why: str) -> MQError:
        self._notices.tell("CSQH904E", (), (where, why))
        return MQError(MQRC_NOT_AUTHORIZED, why=why)

    def _refuse(self, qualifier: int, arrival: ConnectionAttempt, user: str, why: str, delay: int = 0) -> MQError:
        if self._on_blocked is not None:
            self._on_blocked(BlockedConnection(qualifier, arrival, user, False))
        if delay:
            return MQError(MQRC_NOT_AUTHORIZED, user=user, why=why, delay=delay)
        return MQError(MQRC_NOT_AUTHORIZED, user=user, why=why)
