"""Message protection by channel (MCA interception): agents protect messages with the queue manager's keystore.

The keystore.conf of the queue manager's process (MQS_KEYSTORE_CONF, else .mqs/keystore.conf of the home directory)
names a certificate for each such server-connection channel, as MQ has it:

    cms.keystore = /var/kew/app                       PKCS #12 or PEM
    cms.certificate.channel.APP.SVRCONN = app         the label of the certificate

This serves programs that cannot protect messages themselves. Messages are readable in the queue manager's process and
on the network of such a channel, which therefore should have TLS. A client of Kew protects its messages itself on these
channels too. The file is read when the queue manager starts.
"""

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from kew.codes.messages import Notices
from kew.mqi.messages.protecting import KeystoreProtection
from kew.mqi.messages.transform import Protection
from kew.protection import keystoreconf
from kew.protection.errors import KeystoreError
from kew.protection.keystoreconf import Settings

if TYPE_CHECKING:
    from kew.protection.protector import Protector


class Interception:
    """The channels whose agents protect messages."""

    def __init__(self, environment: Mapping[str, str], notices: Notices) -> None:
        self._notices = notices
        self._settings: Settings | None = None
        self._channels: dict[str, str] = {}
        path = keystoreconf.usual_path(environment)
        if not os.path.isfile(path):
            return
        try:
            settings = keystoreconf.read(path)
            self._channels = settings.channels()
        except KeystoreError as problem:
            notices.tell("AMQ9062E", (), (path, str(problem)))
            return
        if self._channels:
            self._settings = settings

    def protection(self, channel: str) -> Protection | None:
        """Give the protection for one connection of a channel; None if keystore.conf does not name the channel."""
        if self._settings is None or channel not in self._channels:
            return None
        return KeystoreProtection(partial(self._protector, self._settings, channel))

    def _protector(self, settings: Settings, channel: str) -> "Protector":
        """Load the keystore of a channel, for one connection; a failure goes to the error log too."""
        from kew.protection.keystore import load  # cryptography takes a while to load
        from kew.protection.protector import Protector

        try:
            return Protector(load(settings, channel))
        except KeystoreError as problem:
            self._notices.tell("AMQ9063E", (), (channel, str(problem)))
            raise
