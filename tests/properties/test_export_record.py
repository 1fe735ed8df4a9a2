"""A record that is exported and brought in elsewhere is the same: rows, answers, audit, what is erased."""

from __future__ import annotations

import json
import random
from pathlib import Path

from muniment.app import Org
from muniment.domain.values import dump
from muniment.export.tables import CANONICAL
from muniment.gate.binding import writing
from muniment.jobs.rebuild import contents, fingerprint, rebuild
from tests.faults.corpora import at_once, difference, governed, play
from tests.worlds import KEY, Clock, open_org

CORPORA = 1  # 30 in `make prove`
ASKED = ("What is the renewal date of Acme?", "Who owns Globex?", "What is the discount of Initech?")


def canonical(folder: Path) -> dict[str, list[str]]:
    """The lines of each exported table."""
    manifest = json.loads((folder / "muniment-record.json").read_bytes())
    return {
        one["table"]: (folder / one["file"]).read_text(encoding="utf-8").split("\n")[:-1]
        for one in manifest["tables"]
    }


def derived(org: Org) -> dict[str, list[str]]:
    with writing(org._work.database, org.tenant) as conn:
        return dict(contents(conn, org.tenant))


def answers(org: Org) -> list[object]:
    asked: list[object] = []
    for who in ("user:ann", "user:bo", "user:cy", "user:owner"):
        view = org.reader(who)
        asked += [dump(view.ask(question)) for question in ASKED]
        asked += [dump(view.pages()), *(dump(view.page(one.entity)) for one in view.pages())]
    return asked


def test_a_record_brought_in_elsewhere_is_the_same_record(
    url: str, tenant: str, seed: int, tmp_path: Path, *, prove: bool
) -> None:
    for number in range(seed, seed + (30 if prove else CORPORA)):
        there = play(url, f"{tenant}-{number}", governed(random.Random(number)), at_once)
        clock = Clock(there._work.clock())
        first, second = tmp_path / f"{number}-first", tmp_path / f"{number}-second"
        there.sync()
        head = there.steward("user:owner").audit_head()
        assert head.number > 0
        there.steward("user:owner").export(first)
        rebuild(there._work)  # a rebuild tries dead keys again, as an import does

        with open_org(url, f"{tenant}-{number}-here", clock) as here:
            here.restore(first)
            here.steward("user:owner").export(second)

            assert difference(derived(there), derived(here)) == "", f"MUNIMENT_SEED={number}"
            was, now = canonical(first), canonical(second)
            own = [now[table].pop() for table in ("audit", "audit_unsealed")]
            assert '"action": "restore"' in own[0]
            assert difference(was, now) == "", f"MUNIMENT_SEED={number}"
            assert set(was) == set(CANONICAL)
            report = here.steward("user:owner").verify_audit(head)
            assert report.ok, (f"MUNIMENT_SEED={number}", report.broken)
            assert answers(there) == answers(here), f"MUNIMENT_SEED={number}"
            before = _digests(here)
            rebuild(here._work)
            assert _digests(here) == before
        there.close()


def _digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_the_key_is_not_in_an_export_that_was_not_asked_for_it(
    url: str, tenant: str, seed: int, tmp_path: Path
) -> None:
    with play(url, tenant, governed(random.Random(seed)), at_once) as org:
        org.steward("user:owner").export(tmp_path / "without")
        org.steward("user:owner").export(tmp_path / "with", with_key=True)

    def has_key(folder: Path) -> bool:
        return any(
            form in file.read_bytes() for file in folder.iterdir() for form in (KEY, KEY.hex().encode())
        )

    assert not has_key(tmp_path / "without")
    assert has_key(tmp_path / "with")
