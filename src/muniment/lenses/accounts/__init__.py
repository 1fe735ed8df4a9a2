"""Accounts: what is owed in both directions, what to tread lightly on, and the page that hands it over."""

from muniment.lenses.accounts.account import get_account
from muniment.lenses.accounts.brief import read_handoff
from muniment.lenses.accounts.landmines import read_landmines
from muniment.lenses.accounts.ledger import read_ledger
from muniment.lenses.accounts.signed import prefix_of

__all__ = ["get_account", "prefix_of", "read_handoff", "read_landmines", "read_ledger"]
