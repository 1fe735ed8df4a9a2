"""A small record for language models to read, and what the record holds of what they said."""

from __future__ import annotations

from muniment.app import Org
from muniment.domain.distilled import Distilled
from muniment.gate.binding import writing
from muniment.jobs.distil import distil_due
from muniment.jobs.rebuild import contents
from tests.doubles import CountingModel
from tests.worlds import said

__all__ = ["ALPHA", "ANN", "BETA", "GAMMA", "document", "outputs", "record", "run", "statements"]

ANN = "user:ann"
ALPHA = "# Alpha\n\nThe Alpha crew meets in the yellow barn near the river on most days.\n"
BETA = "# Beta\n\nThe Beta crew keeps its ladders in the green shed behind the mill all year.\n"
GAMMA = "# Gamma\n\nThe Gamma crew paints the boats white before the summer fair each year.\n"


def document(body: str, hours: float = 0, **fields: object) -> dict[str, object]:
    more = {"kind": "document", "title": "Crews", "media": "text/markdown", **fields}
    return dict(said("crews", body, hours, **more))


def statements(org: Org, *statuses: str) -> list[str]:
    """What models said that the record holds now, in one of these states."""
    query = """
    select a.statement from muniment.assertion a
     where a.tenant = %(tenant)s and a.input_hash is not null and upper_inf(a.known)
       and a.status = any (%(statuses)s)
     order by a.statement
    """
    with writing(org._work.database, org.tenant) as conn:
        values = {"tenant": org.tenant, "statuses": list(statuses or ("active",))}
        return [row[0] for row in conn.execute(query.encode(), values)]


def outputs(org: Org) -> list[tuple[str, str, str | None]]:
    query = """
    select purpose, outcome, reason from muniment.model_output where tenant = %(tenant)s order by 1, 2, 3
    """
    with writing(org._work.database, org.tenant) as conn:
        return conn.execute(query.encode(), {"tenant": org.tenant}).fetchall()


def record(org: Org) -> dict[str, list[str]]:
    with writing(org._work.database, org.tenant) as conn:
        return dict(contents(conn, org.tenant))


def run(org: Org, model: CountingModel, **how: object) -> Distilled:
    return distil_due(org._work, model, **how)  # type: ignore[arg-type]
