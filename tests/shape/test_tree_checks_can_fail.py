"""Each check on the checkout, shown a small fault it must find and a near miss it must let pass."""

from pathlib import Path

import pytest

from tests.shape import budgets, tree
from tests.shape.report import report
from tests.shape.source import Source


@pytest.mark.parametrize(
    "text", ["see /work/main", "'/tmp/spool'", "cd /root", "/home/ann/acme", "/Users/ann"]
)
def test_a_path_of_one_machine_is_found(text: str) -> None:
    assert tree.machine_paths("README.md", text)
    assert not tree.machine_paths("tests/unit/test_paths.py", text)


@pytest.mark.parametrize(
    "text",
    ["src/work/plan", "a/tmp/b", "/rooted", "/var/lib/muniment", "https://x.example/home/a", "~/work/x"],
)
def test_a_path_anyone_may_have_passes(text: str) -> None:
    assert not tree.machine_paths("README.md", text)


@pytest.mark.parametrize("host", budgets.REGISTRY_HOSTS)
def test_the_host_of_a_package_index_is_found(host: str) -> None:
    assert tree.registry_hosts("requirements/dev.lock", f"--index-url https://{host}/simple")


@pytest.mark.parametrize("text", ["# " + "TODO: later", "# Step 3: pack", "Keep this in sync with b.py"])
def test_a_banned_word_is_found(text: str) -> None:
    assert tree.banned_words("src/muniment/app.py", text)


def test_plain_words_pass() -> None:
    assert not tree.banned_words("src/muniment/app.py", "a step further: what is still to do, in sync")


@pytest.mark.parametrize("link", ["docs/nowhere.md", "../README.md", "docs/decisions/0000-none.md#why"])
def test_a_link_that_leads_nowhere_is_found(link: str) -> None:
    assert tree.dead_links("README.md", f"see [this]({link}).")
    assert not tree.dead_links("src/muniment/app.py", f"see [this]({link}).")


@pytest.mark.parametrize(
    "text",
    [
        "[how](docs/how-to/erase.md) and [why](docs/)",
        "[there](docs/how-to/erase.md#hold) and [here](#hold)",
        "[elsewhere](https://x.example/a.md)",
        "`[this](nowhere.md)`",
        "```\n[this](nowhere.md)\n```",
    ],
)
def test_a_link_that_leads_somewhere_passes(text: str) -> None:
    assert not tree.dead_links("README.md", text)


def test_a_fault_is_given_with_its_line() -> None:
    assert tree.machine_paths("a.md", "one\ntwo /work/x")[0].startswith("a.md:2: ")


@pytest.mark.parametrize("story", [None, "# items\nKeeps versions.", "It nevertheless sleeps."])
def test_a_room_that_does_not_say_what_it_never_does_is_found(tmp_path: Path, story: str | None) -> None:
    room(tmp_path, "items", story)

    assert [fault for place in tree.rooms(tmp_path) for fault in tree.room_without_story(place)]


def test_a_room_with_its_story_passes(tmp_path: Path) -> None:
    room(tmp_path, "items", "# items\n\nNever reads for anybody.")
    (tmp_path / "sql").mkdir()

    assert [place.name for place in tree.rooms(tmp_path)] == ["items"]
    assert not tree.room_without_story(tmp_path / "items")


def room(package: Path, name: str, story: str | None) -> None:
    (package / name).mkdir()
    (package / name / "__init__.py").touch()
    if story is not None:
        (package / name / "README.md").write_text(story)


def test_the_tree_is_not_empty() -> None:
    assert "pyproject.toml" in tree.tracked()
    assert tree.package_sources()
    assert tree.test_sources()


def test_a_binary_file_has_no_text() -> None:
    assert tree.text_of("pyproject.toml")


def test_the_report_names_the_longest_function() -> None:
    short = Source.parse("a.py", "def f():\n    return 1\n")
    longer = Source.parse("b.py", "def g():\n    x = 1\n    y = 2\n    return x + y\n")

    assert report((short, longer)) == "shape: 2 functions, median 3 lines, longest 4 (b.py:g)"
    assert report(()) == "shape: no functions yet"
