"""Figures: `python -m evals demo`, `handbook`, `peps`, `meeting`, `amendments`, `ledger`, …, `retrieval`
and `replay`.

Through the public surface only, but for `edges`, `entities`, `references` and `abstention`, which also look
behind it.

Public data is read from the folder `MUNIMENT_SHARED_DATA` names, `../shared/data` if it names none, and never
copied. A set that is not there is skipped with a message. `--report DIR` keeps what is printed there, with a
plot of its figures.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import muniment
from evals import (
    abstention,
    amendments,
    commitments,
    crosslingual,
    documents,
    edges,
    handoff,
    meeting,
    models,
    openfga,
    packs,
    pages,
    people,
    references,
)
from evals.kept import chart_of, keep
from evals.ledger import run as ledger
from evals.replay import gate as replay
from evals.retrieval import run as retrieval
from evals.shared import NotHere, Readable, Report, machine, settings

SETS: dict[str, Callable[[muniment.Org], Readable]] = {
    "demo": documents.demo,
    "handbook": documents.handbook,
    "peps": documents.peps,
    "amendments": amendments.run,
    "amendments-worded": amendments.worded,
    "edges": edges.peps,
    "references": references.tuned,
    "references-held": references.held,
    "entities": people.run,
    "meeting": meeting.pairs,
    "openfga": openfga.run,
    "meeting-held": meeting.held,
    "packs": packs.run,
    "pages": pages.demo_pages,
    "pages-generated": pages.generated_pages,
    "models": models.run,
    "abstention": abstention.run,
    "abstention-fit": abstention.fitted,
    "ledger": ledger.run,
    "crosslingual": crosslingual.run,
    "handoff": handoff.run,
    "commitments": commitments.held,
    "commitments-tuned": commitments.tuned,
}
# Smaller runs of sets that take long, by `--quick`.
QUICK: dict[str, Callable[[muniment.Org], Readable]] = {"ledger": ledger.quick}


def main(arguments: Sequence[str]) -> int:
    """Run the sets named, all of them if none is; print a report each."""
    if arguments[:1] == ["retrieval"]:
        return retrieval.main(arguments[1:])
    if arguments[:1] == ["replay"]:
        return replay.main(arguments[1:])
    arguments, folder_of_reports = _report_folder(arguments)
    sets = {**SETS, **QUICK} if "--quick" in arguments else SETS
    for name in [one for one in arguments if one != "--quick"] or sets:
        with tempfile.TemporaryDirectory() as folder:
            # An unprivileged server must be able to enter it.
            Path(folder).chmod(0o711)
            try:
                with muniment.open(Path(folder) / "org", settings=settings(Path(folder))) as org:
                    found = sets[name](org)
                print(found.text())
                _keep(folder_of_reports, name, found)
            except NotHere as missing:
                print(f"{name}: skipped: {missing}")
    return 0


def _report_folder(arguments: Sequence[str]) -> tuple[list[str], Path | None]:
    """What is asked for besides `--report DIR`, and that folder."""
    rest = list(arguments)
    if "--report" not in rest:
        return rest, None
    at = rest.index("--report")
    if at + 1 == len(rest):
        raise SystemExit("--report needs a folder")
    _, folder = rest[at : at + 2]
    return rest[:at] + rest[at + 2 :], Path(folder)


def _keep(folder: Path | None, name: str, found: Readable) -> None:
    """The report with a plot of its figures, of a set whose report is made of figures."""
    if folder is not None and isinstance(found, Report):
        picture = f"![The figures, with their intervals]({name}.svg)"
        keep(folder, name, f"{machine()}\n\n{found.text()}\n\n{picture}\n", chart_of(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
