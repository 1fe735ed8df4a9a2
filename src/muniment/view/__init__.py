"""What one principal may know: the verbs of the Python door, each one read of the record."""

from muniment.incidents import Incidents
from muniment.shelf import Shelf
from muniment.view.accounts import Accounts
from muniment.view.asking import Asking, judged
from muniment.view.looking import Looking
from muniment.view.telling import Telling

__all__ = ["View", "judged"]


class View(Asking, Looking, Telling, Accounts):
    """One principal's view of the record. Every call is judged by the clock of that call.

    `as_of` and `known_at` stay what they were asked to be; None is the instant of the call.
    """

    @property
    def incidents(self) -> Incidents:
        """Investigations: their ledger, hints from earlier ones, and what they end in."""
        return Incidents(self._work, self._hearing, self._looking, self._meaning)

    @property
    def shelf(self) -> Shelf:
        """The files that this principal keeps for themselves."""
        return Shelf(self._work, self._hearing, self._looking)
