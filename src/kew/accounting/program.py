"""A connected program as accounting sees it: its identity, its connection, and the cost of its work."""

from kew.accounting.account import Account


class Program:
    """The identity of a program and its account; `mqi` makes a connection of it."""

    def __init__(self, number: int, principal: str, application: bytes, accounting_token: bytes) -> None:
        self.number = number
        self.principal = principal
        self.application = application  # as messages carry it: at most 28 bytes
        self.accounting_token = accounting_token
        self.channel = ""  # by which it came, and from where; blank for a program on this machine
        self.conname = ""
        self.account: Account | None = None  # while an accounting trace runs

    def account_into(self, account: Account | None) -> None:
        """Count the work of the program in an account, or in none; called under the engine lock."""
        self.account = account
