"""One account, or all: what is owed, what to tread lightly on, and the page that hands it over."""

from __future__ import annotations

from muniment import signing
from muniment.claims.told import told
from muniment.domain.accounts import Commitment, Handoff, Landmine, SignOff
from muniment.domain.icalendar import calendar_of
from muniment.lenses import accounts
from muniment.view.base import Base, anywhere

__all__ = ["Accounts"]


class Accounts(Base):
    """The verbs of the lens on accounts."""

    @anywhere
    def handoff(self, account: str, *, budget: int = 5000) -> Handoff:
        """One page for whoever takes the account over, every line cited, in a budget of tokens."""
        return self._page(account, budget)

    @anywhere
    def commitments(self, account: str | None = None) -> list[Commitment]:
        """Who owes what to whom, overdue first; of every account where none is named."""
        with self._looking("commitments", account or "") as reader:
            one = None if account is None else accounts.get_account(reader, account)
            return told(reader, list(accounts.read_ledger(reader, one).commitments))

    @anywhere
    def landmines(self, account: str | None = None) -> list[Landmine]:
        """What to know before a subject is opened again."""
        with self._looking("landmines", account or "") as reader:
            one = None if account is None else accounts.get_account(reader, account)
            owed = () if one is None else accounts.read_ledger(reader, one).commitments
            return told(reader, list(accounts.read_landmines(reader, one, owed).landmines))

    def due_days(self, account: str | None = None) -> str:
        """The days of open commitments, as an iCalendar file."""
        found = self.commitments(account)
        return calendar_of(found, self._moment.as_of)

    def sign_handoff(self, account: str, seen: str, *, budget: int = 5000) -> SignOff:
        """Sign the page that `seen` stands for; Conflict where it says something else by now."""
        page = self._page(account, budget)
        with self._reading() as reader:
            prefix = accounts.prefix_of(accounts.get_account(reader, account))
        return signing.sign(self._work, self._hearing, page, prefix, seen)

    def _page(self, account: str, budget: int) -> Handoff:
        with self._looking("handoff", account) as reader:
            return told(reader, accounts.read_handoff(reader, account, budget))
