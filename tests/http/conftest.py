"""The demo's company behind HTTP: one application, and a client for whoever a test wants to be."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import muniment
from muniment.app import Org
from muniment.models.language import Prompt
from muniment.models.scripted import ScriptedModel
from muniment.settings import Settings
from muniment.surfaces.http.api import Serving, api

COMPANY = Path(__file__).parents[2] / "demo" / "company"
FILES = "directory crm chat mail meetings issues alerts incidents".split()
Client = Callable[..., TestClient]


def all_of_it(prompt: Prompt) -> str:
    """An answer to a task: every piece of evidence, each in its own words."""
    evidence = json.loads(prompt.material)["evidence"][:12]
    said = [{"text": " ".join(one["text"].split()), "citations": [one["id"]]} for one in evidence]
    return json.dumps({"do": "answer", "sentences": said})


@pytest.fixture(scope="session")
def company() -> Iterator[Org]:
    """The company's record, words alone."""
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        said = {
            "MUNIMENT_STATE_DIR": str(base / "state"),
            "MUNIMENT_EMBEDDER": "off",
            "MUNIMENT_USER": "root",
        }
        # What the model tells is all that it was shown, so that nothing it saw is hidden from a test.
        model = ScriptedModel(all_of_it)
        with muniment.open(base / "acme", settings=Settings.read(said), model=model) as org:
            for one in FILES:
                org.add(COMPANY / f"{one}.jsonl")
            org.add(COMPANY / "policies", source="policies", audience=["*"])
            yield org


@pytest.fixture(scope="session")
def app(company: Org) -> FastAPI:
    """The application, with nothing to wait for."""
    return api(company, Serving(step=0.0, a_minute=1_000_000))


@pytest.fixture(scope="session")
def client(company: Org, app: FastAPI) -> Client:
    """A client that carries a token of somebody's."""

    def carrying(principal: str, agent: str | None = None) -> TestClient:
        made = company.tokens.create(principal, agent=agent)
        return TestClient(app, headers={"Authorization": f"Bearer {made.token}"}, follow_redirects=False)

    return carrying
