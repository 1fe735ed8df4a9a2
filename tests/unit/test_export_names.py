"""Names of exported files: safe everywhere, and never two alike."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from muniment.export.names import folder_of, paths
from muniment.pages.entities import Entity

SAFE = re.compile(r"[a-z0-9-]{1,80}/[a-z0-9-]{1,100}\.md")
KINDS = st.one_of(
    st.sampled_from(["account", "person", "con", "Pull Request", "政策", "../..", ""]), st.text()
)


def entity(id_: str, title: str, kind: str = "account", name: str | None = None) -> Entity:
    return Entity(id_, kind, title, (name or title.casefold() or id_,))


@given(
    st.lists(st.tuples(st.uuids(), st.text(max_size=80), KINDS), unique_by=lambda one: one[0], max_size=30)
)
def test_every_path_is_plain_and_its_own(found: list[tuple[object, str, str]]) -> None:
    every = [entity(str(id_).replace("-", ""), title, kind, str(id_)) for id_, title, kind in found]

    named = paths(every)

    assert list(named.values()) == every
    assert all(SAFE.fullmatch(path) for path in named)
    assert len({path.casefold() for path in named}) == len(every)


def test_a_name_does_not_depend_on_what_else_there_is() -> None:
    acme, other = entity("a" * 32, "Acme GmbH"), entity("b" * 32, "Acme GmbH")

    assert next(iter(paths([acme]))) == next(iter(paths([acme, other]))) == "account/acme-gmbh-aaaaaaaaaa.md"


def test_titles_without_a_plain_letter_are_told_apart_by_their_ids() -> None:
    named = paths([entity("a" * 32, "差旅政策", "policy"), entity("b" * 32, "住宿政策", "policy")])

    assert list(named) == ["policy/aaaaaaaaaa.md", "policy/bbbbbbbbbb.md"]


def test_two_things_under_one_id_still_have_a_file_each() -> None:
    twins = [entity("a" * 32, "Acme", name="acme"), entity("a" * 32, "acme!", name="acme!")]

    assert len(paths(twins)) == 2


def test_an_accent_is_left_out_and_a_device_is_no_folder() -> None:
    assert next(iter(paths([entity("c" * 32, "Café Zürich")]))).startswith("account/cafe-zurich-")
    assert folder_of("AUX") == "aux-"
