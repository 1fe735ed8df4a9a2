"""Which page is where. What is not here is nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.surfaces.web import (
    accounts,
    asking,
    evidence,
    incidents,
    investigating,
    looking,
    rights,
    steward,
    tidying,
    waiting,
)
from muniment.surfaces.web.visits import Screen

__all__ = ["SCREENS"]

SCREENS: Mapping[tuple[str, str], Screen] = {
    ("GET", "/"): asking.ask,
    ("GET", "/search"): asking.search,
    ("GET", "/pages"): looking.pages,
    ("GET", "/wiki"): looking.wiki,
    ("GET", "/wiki/{entity:path}"): looking.wiki,
    ("GET", "/timeline"): looking.timeline,
    ("GET", "/timeline/{entity:path}"): looking.timeline,
    ("GET", "/evidence/{id}"): evidence.explain,
    ("POST", "/evidence/{id}/report"): evidence.report,
    ("GET", "/claims/{id}"): evidence.history,
    ("GET", "/accounts"): accounts.accounts,
    ("GET", "/account"): accounts.account,
    ("GET", "/account/{entity:path}"): accounts.account,
    ("POST", "/account"): accounts.sign,
    ("GET", "/commitments"): accounts.commitments,
    ("GET", "/commitments/{entity:path}"): accounts.commitments,
    ("GET", "/landmines"): accounts.landmines,
    ("GET", "/landmines/{entity:path}"): accounts.landmines,
    ("GET", "/due.ics"): accounts.due_days,
    ("GET", "/incidents"): incidents.incidents,
    ("POST", "/incidents"): investigating.open_incident,
    ("GET", "/incidents/{id}"): incidents.incident,
    ("POST", "/incidents/{id}"): investigating.act,
    ("GET", "/topology"): incidents.topology,
    ("GET", "/topology/{entity:path}"): incidents.topology,
    ("GET", "/memories"): incidents.memories,
    ("GET", "/desk"): steward.overview,
    ("GET", "/desk/candidates"): waiting.candidates,
    ("GET", "/desk/candidates/{id}"): waiting.candidate,
    ("POST", "/desk/candidates/{id}"): waiting.decide,
    ("GET", "/desk/conflicts"): waiting.conflicts,
    ("POST", "/desk/conflicts"): waiting.resolve,
    ("GET", "/desk/stale"): waiting.stale,
    ("GET", "/desk/recalled"): waiting.recalled,
    ("POST", "/desk/recalled"): waiting.settle,
    ("GET", "/desk/reports"): waiting.reports,
    ("GET", "/desk/upkeep"): tidying.findings,
    ("POST", "/desk/upkeep"): tidying.tidy,
    ("GET", "/desk/duplicates"): waiting.duplicates,
    ("GET", "/desk/quarantine"): steward.quarantine,
    ("POST", "/desk/quarantine"): steward.replay,
    ("GET", "/desk/access"): rights.access,
    ("GET", "/desk/audit"): rights.audit,
    ("GET", "/desk/erase"): rights.erase_form,
    ("POST", "/desk/erase"): rights.erase,
}
