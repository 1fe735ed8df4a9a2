"""A memory directory: files that nobody else has, pages that cannot be written, no way out."""

from __future__ import annotations

from muniment.adapters.memory_tool import MemoryDirectory
from muniment.app import Org
from tests.worlds import at, taken

FILE = "/memories/notes/acme/plan.md"

LEAVES = {"op": "member", "source": "dir", "group": "group:sales", "at": at(5), "remove": ["user:ann"]}


def directory(org: Org, who: str = "user:ann", agent: str | None = None) -> MemoryDirectory:
    return MemoryDirectory(org.reader(who, agent=agent))


def test_a_file_is_written_changed_renamed_and_taken_away(org: Org) -> None:
    own = directory(org)

    own.run({"command": "create", "path": FILE, "file_text": "one\ntwo\n"})
    own.run({"command": "str_replace", "path": FILE, "old_str": "two", "new_str": "zwei"})
    own.run({"command": "insert", "path": FILE, "insert_line": 1, "insert_text": "between\n"})
    assert own.run({"command": "view", "path": FILE}).splitlines()[1:] == [
        "     1\tone",
        "     2\tbetween",
        "     3\tzwei",
        "     4\t",
    ]
    assert own.run({"command": "view", "path": FILE, "view_range": [2, 3]}).splitlines()[1:] == [
        "     2\tbetween",
        "     3\tzwei",
    ]
    own.run({"command": "rename", "old_path": FILE, "new_path": "/memories/notes/new.md"})
    assert FILE not in own.run({"command": "view", "path": "/memories"})
    assert "zwei" in own.run({"command": "view", "path": "/memories/notes/new.md"})
    own.run({"command": "delete", "path": "/memories/notes/new.md"})
    assert own.run({"command": "view", "path": "/memories/notes"}) == "Files in /memories/notes:"
    own.run({"command": "create", "path": FILE, "file_text": "again"})
    assert "again" in own.run({"command": "view", "path": FILE})


def test_a_folder_is_listed_and_taken_away_whole(org: Org) -> None:
    own = directory(org)
    for name in ("a/1", "a/2", "b"):
        own.run({"command": "create", "path": f"/memories/notes/{name}", "file_text": name})

    assert own.run({"command": "view", "path": "/memories/notes/a"}).count("/memories/notes/a/") == 2
    own.run({"command": "delete", "path": "/memories/notes/a"})
    assert "/memories/notes/b" in own.run({"command": "view", "path": "/memories/notes"})
    assert "/notes/a/" not in own.run({"command": "view", "path": "/memories/notes"})


def test_nobody_else_has_ones_files_and_a_note_never_outlives_what_it_repeats(org: Org) -> None:
    own, secret = directory(org), "Acme has a discount of 18 percent."
    own.run({"command": "create", "path": FILE, "file_text": f"To remember.\n{secret}"})

    missing = directory(org, "user:bo").run({"command": "view", "path": "/memories/notes/none"})
    hidden = directory(org, "user:bo").run({"command": "view", "path": FILE})
    assert hidden.replace(FILE, "X") == missing.replace("/memories/notes/none", "X")
    assert directory(org, "user:nobody").run({"command": "view", "path": FILE}).startswith("Error")
    assert org.reader("user:bo").search("Remember discount", unit="passage") == []

    taken(org, [LEAVES])
    assert "18 percent" not in own.run({"command": "view", "path": FILE})


def test_a_note_that_was_reworded_and_renamed_stays_made_from_what_it_was(org: Org) -> None:
    own = directory(org)
    own.run({"command": "create", "path": FILE, "file_text": "Acme has a discount of 18 percent."})
    own.run({"command": "create", "path": FILE, "file_text": "Eighteen off for them."})
    own.run({"command": "rename", "old_path": FILE, "new_path": "/memories/notes/new.md"})
    assert "Eighteen" in own.run({"command": "view", "path": "/memories/notes/new.md"})

    taken(org, [LEAVES])

    assert own.run({"command": "view", "path": "/memories/notes/new.md"}).startswith("Error")


def test_an_agents_file_counts_as_a_tools_word(org: Org) -> None:
    directory(org, agent="agent:helper").run(
        {"command": "create", "path": FILE, "file_text": "Quokkas are invited to the party."}
    )

    (hit,) = org.reader("user:ann").search("Quokkas party", unit="passage")

    assert hit.citation is not None
    assert hit.citation.trust == "internal_tool"


def test_pages_are_read_by_whoever_may_and_written_by_nobody(org: Org) -> None:
    own = directory(org)
    (page,) = [
        one for one in own.run({"command": "view", "path": "/memories/wiki"}).splitlines() if "acme" in one
    ]

    assert "1 May 2027" in own.run({"command": "view", "path": page})
    for wrong in (
        {"command": "create", "path": page, "file_text": "x"},
        {"command": "delete", "path": page},
        {"command": "rename", "old_path": page, "new_path": FILE},
        {"command": "insert", "path": page, "insert_line": 0, "insert_text": "x"},
    ):
        assert own.run(wrong).startswith("Error"), wrong


def test_no_path_leads_out_and_nothing_that_is_put_wrongly_is_raised(org: Org) -> None:
    own = directory(org)
    paths = [
        "",
        None,
        7,
        "/",
        "/etc/passwd",
        "memories/notes/a",
        "/memories/../etc/passwd",
        "/memories/notes/../../etc/passwd",
        "/memories/notes/./a",
        "/memories/notes//a",
        "/memories/notes/%2e%2e/a",
        "/memories/notes/..\\a",
        "/memories/notes/a\x00b",
        "/memoriesnotes/a",
        "/memories/other/a",
        "/memories/notes/" + "x" * 300,
    ]
    for path in paths:
        assert own.run({"command": "create", "path": path, "file_text": "x"}).startswith("Error"), path
    own.run({"command": "create", "path": FILE, "file_text": "aa\naa"})
    for wrong in (
        {},
        {"command": "fly"},
        {"command": "create", "path": FILE},
        {"command": "create", "path": FILE, "file_text": "x" * 20_001},
        {"command": "str_replace", "path": FILE, "old_str": "aa", "new_str": "b"},
        {"command": "str_replace", "path": FILE, "old_str": "", "new_str": "b"},
        {"command": "insert", "path": FILE, "insert_line": 3, "insert_text": "x"},
        {"command": "view", "path": FILE, "view_range": [3, 1]},
        {"command": "delete", "path": "/memories/notes/none"},
        {"command": "rename", "old_path": "/memories/notes/none", "new_path": FILE},
    ):
        assert own.run(wrong).startswith("Error"), wrong
    assert own.run({"command": "view", "path": FILE}).endswith("     2\taa")
