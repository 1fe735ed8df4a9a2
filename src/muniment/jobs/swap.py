"""Models of vectors as they come and go: one is replaced while questions still go by it.

A record may hold vectors of several models. A new one begins with all passages; until it has had them all,
questions are placed by the one before, whose new passages are embedded too where it is at hand. Then the new
one is asked, and the vectors of the other are dropped a while later, when nobody works at it any more.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import numpy as np

from muniment.gate.binding import writing
from muniment.index import codes
from muniment.jobs.lease import Turn
from muniment.jobs.loop import Work
from muniment.jobs.turns import compile_alone
from muniment.models.embedding import Embedder, Silent, embed
from muniment.models.usual import USUAL
from muniment.store.queries import load

__all__ = ["IDLE", "asked_of", "begin", "keeps_up", "settle_models"]

log = logging.getLogger(__name__)
SQL: Final = load("vectors")
# How long the vectors of a model stay that nobody works at, once another is whole: longer than any question
# takes that was placed by it.
IDLE: Final = timedelta(minutes=10)
_DROPPED_AT_ONCE: Final = 10_000
_AT_ONCE: Final = 32  # texts a request


def models_of(work: Work) -> Mapping[str, str]:
    """The models that the record has vectors of, and how each stands."""
    with writing(work.database, work.tenant) as conn:
        return dict(conn.execute(SQL["models"], {"tenant": work.tenant}).fetchall())


def asked_of(work: Work, current: Embedder, before: Embedder | None) -> tuple[Embedder | Silent, str | None]:
    """The embedder that places questions now, and what is to be said of it, if anything is."""
    models = models_of(work)
    whole = [name for name, state in models.items() if state == "whole"]
    if not whole or current.name in whole:
        return current, None
    if before is not None and before.name in whole:
        return before, None
    if current.name not in models:
        return Silent(f"vectors are those of {whole[0]!r}, and {current.name!r} has none yet"), None
    return current, f"meaning was used in part: vectors of {current.name!r} are still being made"


def keeps_up(work: Work, current: Embedder, before: Embedder | None) -> bool:
    """Whether questions still go by the embedder before, so that new passages need its vectors too."""
    if before is None:
        return False
    models = models_of(work)
    return models.get(before.name) == "whole" and models.get(current.name) != "whole"


def begin(work: Work, embedder: Embedder) -> None:
    """A model that is new here has everything to do. Raises EmbedderFailed where its mean cannot be had."""
    state = models_of(work).get(embedder.name)
    if state in (None, "going"):
        _enter(work, embedder)
    values = {"tenant": work.tenant, "model": embedder.name, "now": work.clock()}
    with writing(work.database, work.tenant) as conn:
        conn.execute(SQL["work_at"], values)
        if conn.execute(SQL["come"], values).fetchone() is not None:
            conn.execute(SQL["all_due"], values)


def _enter(work: Work, embedder: Embedder) -> None:
    """From here on new passages are due, and no transaction that does not know so is under way."""
    mean = None if embedder.is_centred else _mean(embedder)
    values = {"tenant": work.tenant, "model": embedder.name, "mean": mean, "now": work.clock()}
    with writing(work.database, work.tenant) as conn:
        compile_alone(conn, work.tenant)
        if conn.execute(SQL["begin_model"], values).fetchone() is not None:
            log.info("vectors are made with %r from now on", embedder.name)


def _mean(embedder: Embedder) -> bytes:
    """The usual vector of a model, from texts of ours: what is in the record may not show in a code."""
    parts = [USUAL[start : start + _AT_ONCE] for start in range(0, len(USUAL), _AT_ONCE)]
    return codes.steps_of(np.concatenate([embed(embedder, part, query=False) for part in parts]))


def settle_models(turn: Turn, embedder: Embedder) -> None:
    """Now that nothing is due: this model may be whole, and others may go, some vectors at a time."""
    dropped = 1
    while dropped:
        with writing(turn.work.database, turn.work.tenant) as conn:
            if not turn.holds(conn):
                return
            values = {
                "tenant": turn.work.tenant,
                "model": embedder.name,
                "idle_since": turn.work.clock() - IDLE,
                "limit": _DROPPED_AT_ONCE,
            }
            if conn.execute(SQL["become_whole"], values).fetchone() is not None:
                log.info("questions are placed with %r from now on", embedder.name)
            conn.execute(SQL["retire"], values)
            dropped = conn.execute(SQL["drop_going_vectors"], values).rowcount
            conn.execute(SQL["drop_going_models"], values)
