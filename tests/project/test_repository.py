"""The repository itself: commands that are named exist, nothing of one machine, clean locks."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.services import ROOT

TEXT = {"", ".css", ".html", ".js", ".json", ".jsonl", ".md", ".po", ".py", ".sh", ".toml", ".txt"}


@cache
def texts() -> dict[Path, str]:
    """Every file of our own that is text, by its path from the top."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        paths = [Path(line) for line in listed.stdout.splitlines()]
    else:
        hidden = {".venv", "var", ".git"}
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        paths = [path for path in found if not hidden & set(path.parts)]
    return {
        path: (ROOT / path).read_text(encoding="utf-8")
        for path in paths
        if path.suffix in TEXT and "vendor" not in path.parts and (ROOT / path).is_file()
    }


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text()
    return set(re.findall(r"^([a-z0-9]+):", makefile, re.MULTILINE))


def test_commands_that_documents_name_exist() -> None:
    named: dict[str, str] = {}
    for path, text in texts().items():
        if path.suffix == ".md":
            for block in re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL):
                for word in re.findall(r"(?:^|`|\n|=\d+ )make ([a-z0-9]+)", block):
                    named[word] = str(path)
    assert {"run", "test"} <= set(named)
    assert set(named) <= targets(), named


def test_management_commands_that_documents_name_exist() -> None:
    from django.core.management import get_commands

    for path, text in texts().items():
        if path.suffix == ".md" or path.name == "Makefile":
            for word in re.findall(r"manage\.py ([a-z_]+)", text):
                assert word in get_commands(), f"{path}: manage.py {word}"


def test_every_setting_in_the_readme_is_read_and_the_other_way_round() -> None:
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    source = (ROOT / "dominoes" / "settings.py").read_text()
    read = set(re.findall(r"os\.environ(?:\.get\(|, )\"([A-Z_]+)\"", source))
    assert read == table


def test_nothing_belongs_to_one_machine() -> None:
    own = re.compile(r"(?<![\w.$}])/(?:work|farm|root|home/\w+|tmp/\w+_jobs)/|\bfile:///opt\b")
    hits = [
        f"{path}:{number}"
        for path, text in texts().items()
        if path != Path("tests/project/test_repository.py")
        for number, line in enumerate(text.splitlines(), 1)
        if own.search(line)
    ]
    assert hits == []


def test_nothing_is_left_unfinished() -> None:
    # Written so that this line isn't one itself.
    marks = re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X)\b|raise N[o]tImplementedError|mark\.x[f]ail")
    hits = [
        f"{path}:{number}"
        for path, text in texts().items()
        if path.suffix in {".py", ".js", ".html"}
        for number, line in enumerate(text.splitlines(), 1)
        if marks.search(line)
    ]
    assert hits == []


@pytest.mark.parametrize("package", ["rules"])
def test_the_rules_stand_on_the_standard_library_alone(package: str) -> None:
    for file in (ROOT / "dominoes" / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file}: relative import"
                names = [node.module or ""]
            for name in names:
                ours = name == "dominoes" or name.startswith(f"dominoes.{package}")
                assert ours or name.partition(".")[0] in sys.stdlib_module_names, f"{file}: {name}"


class TestLocks:
    @pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
    def test_everything_is_pinned_by_hash_and_no_registry_is_named(self, name: str) -> None:
        text = (ROOT / name).read_text()
        entries = re.split(r"\n(?=\S)", text.strip())
        pins = [entry for entry in entries if not entry.startswith("#")]
        assert len(pins) > 30
        for pin in pins:
            assert re.match(r"[a-z0-9._-]+(?:\[[a-z,-]+\])?==\S+", pin), pin.splitlines()[0]
            assert "--hash=sha256:" in pin, pin.splitlines()[0]
        assert "://" not in text
        assert not re.search(r"^--(?:index|extra|find|trusted)", text, re.MULTILINE)

    def test_they_fit_what_the_project_asks_for(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        site = project["project"]["dependencies"]
        for name, asked in (
            ("requirements.lock", site),
            ("requirements-dev.lock", site + project["dependency-groups"]["dev"]),
        ):
            found = re.findall(r"^([a-z0-9._-]+)(?:\[.*?\])?==([^\s;]+)", self._text(name), re.M)
            pinned = {canonicalize_name(package): version for package, version in found}
            for line in asked:
                need = Requirement(line)
                version = pinned.get(canonicalize_name(need.name))
                assert version is not None, f"{name} lacks {need.name}"
                assert need.specifier.contains(version), f"{name}: {need} but {version}"

    def test_the_sites_own_are_the_same_in_both(self) -> None:
        def pins(name: str) -> set[str]:
            return set(re.findall(r"^[a-z0-9._-]+(?:\[.*?\])?==[^\s;]+", self._text(name), re.M))

        assert pins("requirements.lock") <= pins("requirements-dev.lock")

    def _text(self, name: str) -> str:
        return (ROOT / name).read_text()


def test_import_directions_are_kept() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
