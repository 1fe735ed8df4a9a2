"""A form is taken from our own pages alone, whatever a browser or somebody else says of its origin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from muniment.surfaces.web.sessions import is_from_here

HOST = "notes.example:8080"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_our_own_origin_is_ours(scheme: str) -> None:
    assert is_from_here(Headers({"host": HOST, "origin": f"{scheme}://{HOST}"}))


@given(
    st.text(st.characters(max_codepoint=255), max_size=40) | st.sampled_from(["http://[", f"http://a@{HOST}"])
)
def test_no_other_origin_is_and_none_is_a_fault(origin: str) -> None:
    assert not is_from_here(Headers({"host": HOST, "origin": origin}))
