"""A view in the forms of LangChain and of the OpenAI Agents SDK, with and without a library of that form."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Awaitable
from pathlib import Path
from types import ModuleType

import pytest

from muniment.adapters import langchain, openai_agents
from muniment.app import Org
from muniment.domain.errors import Usage

QUERY = "Acme discount renews"
# Packages of the same form as the libraries, as small as can be: what is asked of them, not what they do.
LANGCHAIN = {
    "langchain_core/__init__.py": "",
    "langchain_core/documents.py": (
        "class Document:\n    def __init__(self, **said):\n        self.__dict__.update(said)\n"
    ),
    "langchain_core/retrievers.py": (
        "class BaseRetriever:\n    def invoke(self, query):\n"
        "        return self._get_relevant_documents(query, run_manager=object())\n"
    ),
}
AGENTS = {
    "agents/__init__.py": (
        "from dataclasses import dataclass\n\n@dataclass\nclass FunctionTool:\n    name: str\n"
        "    description: str\n    params_json_schema: dict\n    on_invoke_tool: object\n"
        "    strict_json_schema: bool\n"
    ),
}


def there(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a package can be imported."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        # Absent before, and so absent again after the test.
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
        del sys.modules[module]
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()


def test_a_retriever_gives_what_its_person_may_read_with_its_citation(org: Org) -> None:
    sales = langchain.Retriever(org.reader("user:ann")).invoke(QUERY)
    other = langchain.Retriever(org.reader("user:bo")).batch([QUERY])[0]

    assert {one.page_content for one in sales} - {one.page_content for one in other} == {
        "Acme has a discount of 18 percent."
    }
    for one in sales:
        assert org.reader("user:ann").explain(str(one.id)).citation.source == one.metadata["source"]
        assert one.metadata["trust"]
        json.dumps(one.metadata)


def test_a_retriever_is_called_by_every_name_it_goes_by(org: Org) -> None:
    own = langchain.Retriever(org.reader("user:ann"), limit=1)

    found = own.invoke(QUERY, {"tags": []})

    assert len(found) == 1
    assert own.get_relevant_documents(QUERY) == found
    assert asyncio.run(own.ainvoke(QUERY)) == found


def test_a_library_gets_an_object_of_its_own_class(
    org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there(tmp_path, {**LANGCHAIN, **AGENTS}, monkeypatch)

    made = langchain.as_langchain(org.reader("user:bo"))
    functions = openai_agents.as_openai(org.reader("user:bo"))

    assert type(made).__mro__[1].__name__ == "BaseRetriever"
    assert [one.page_content for one in made.invoke(QUERY)] == ["Acme renews on 1 May 2027."]
    assert [one.name for one in functions] == ["organisation_context", "organisation_search"]


def test_without_a_library_it_is_said_what_to_install(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("langchain_core", "agents"):
        monkeypatch.setitem(sys.modules, name, None)
    view = org.reader("user:ann")

    with pytest.raises(Usage, match="langchain-core"):
        langchain.as_langchain(view)
    with pytest.raises(Usage, match="openai-agents"):
        openai_agents.as_openai(view)


async def _awaited(result: Awaitable[str]) -> str:
    return await result


def called(org: Org, who: str, name: str, arguments: str) -> dict[str, object]:
    (tool,) = [one for one in openai_agents.tools(org.reader(who)) if one.name == name]
    found = json.loads(asyncio.run(_awaited(tool.on_invoke_tool(None, arguments))))
    assert isinstance(found, dict)
    return found


def test_a_function_gives_context_and_hits_within_its_persons_rights(org: Org) -> None:
    asked = json.dumps({"task": "What discount does Acme have?", "token_budget": 500})
    sought = json.dumps({"query": QUERY, "limit": 10_000})

    assert "18 percent" in str(called(org, "user:ann", "organisation_context", asked)["data"])
    assert "18 percent" in json.dumps(called(org, "user:ann", "organisation_search", sought))
    for name, said in (("organisation_context", asked), ("organisation_search", sought)):
        assert "18 percent" not in json.dumps(called(org, "user:bo", name, said))


def test_what_a_model_puts_wrongly_is_told_and_breaks_nothing(org: Org) -> None:
    for wrong in ("", "[]", "{}", "no JSON", '{"task": "  ", "token_budget": 0}', "[" * 9_999):
        found = called(org, "user:ann", "organisation_context", wrong)

        assert "error" in found or found["state"] == "out_of_scope", wrong
