"""The Spanish catalogue: whole, up to date, and faithful to what is asked for."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.utils.translation import templatize

from dominoes.table.management.commands.makemessages import calls
from tests.project.catalogue import CATALOGUE, PLACEHOLDER, ROOT, entries

LITERAL = re.compile(r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
CALL = re.compile(rf"\b(_|n?p?gettext)\(((?:\s*{LITERAL.pattern}\s*,?)+)", re.DOTALL)


def test_every_text_is_translated() -> None:
    assert len(entries()) > 1000
    for entry in entries():
        assert "fuzzy" not in entry.flags, entry
        for _text, said in entry.pairs:
            assert said.strip(), entry


def test_placeholders_are_kept() -> None:
    for entry in entries():
        for text, said in entry.pairs:
            assert sorted(PLACEHOLDER.findall(said)) == sorted(PLACEHOLDER.findall(text)), entry


def test_links_and_line_ends_are_kept() -> None:
    tags = re.compile(r"</?\w+[^>]*>|\n")
    for entry in entries():
        for text, said in entry.pairs:
            assert sorted(tags.findall(said)) == sorted(tags.findall(text)), entry


def test_sentences_end_alike() -> None:
    """A sentence stays one: with its full stop, its question mark, its colon; and none is added."""
    for entry in entries():
        for text, said in entry.pairs:
            for mark in ("?", "!", ":", "…"):
                if text.endswith(mark) and mark != "!":
                    assert said.endswith(mark), entry
            assert said.endswith(".") == text.endswith("."), entry
            assert said.count("¿") == said.count("?") - said.count("(?)"), entry
            assert said.count("¡") == said.count("!"), entry
            assert not re.search("[“”]", said), entry  # Spanish quotes are «these»


def test_entries_name_no_lines() -> None:
    """So that the catalogue changes with the texts alone."""
    assert not any(re.search(r":\d", entry.places) for entry in entries())


def test_the_compiled_catalogue_is_up_to_date() -> None:
    with (CATALOGUE / "django.mo").open("rb") as file:
        compiled: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    expected: dict[Any, str] = {}
    for entry in entries():
        if "msgid_plural" in entry.parts:
            for number, (_text, said) in enumerate(entry.pairs):
                expected[entry.key, number] = said
        else:
            expected[entry.key] = entry.pairs[0][1]
    head = compiled.pop("")
    assert "nplurals=2; plural=(n != 1)" in head
    assert "charset=UTF-8" in head
    assert compiled == expected


# --- what is to be translated ---------------------------------------------------------------


def python_files() -> Iterator[Path]:
    for app in ("dominoes", "lobby", "ranking"):
        yield from (ROOT / app).rglob("*.py")


def texts() -> Iterator[tuple[Path, str]]:
    """Every text of the code and the templates, as the catalogue names it."""
    for path in python_files():
        for kind, found in calls(path.read_text(encoding="utf-8")):
            context = kind in ("pgettext", "npgettext")
            yield path, "\4".join(found[:2]) if context else found[0]
    for path in (ROOT / "templates").rglob("*.*"):
        # Django turns a template into Python-like calls for those who collect texts.
        code = templatize(path.read_text(encoding="utf-8"))
        for call in CALL.finditer(code):
            found = tuple(str(ast.literal_eval(one)) for one in LITERAL.findall(call[2]))
            yield path, "\4".join(found[:2]) if call[1].removeprefix("n")[0] == "p" else found[0]


def test_every_text_is_in_the_catalogue() -> None:
    known = {entry.key for entry in entries()}
    missing = {(str(path.relative_to(ROOT)), text) for path, text in texts() if text not in known}
    assert not missing, f"run `make messages` and translate: {sorted(missing)}"


def test_no_text_stays_without_a_place() -> None:
    used = {text for _path, text in texts()}
    assert {entry.key for entry in entries()} <= used


def test_texts_inside_f_strings_are_found() -> None:
    source = (
        "from django.utils.translation import gettext as _, gettext_lazy as later\n"
        "from django.utils.translation import ngettext, pgettext\n"
        "a = f\"<b>{_('In a string')}</b>\"\n"
        'b = later("Later"), ngettext("one", "many", n), pgettext("there", "Draw"), _(unknown)\n'
    )
    assert sorted(calls(source)) == [
        ("gettext", ("In a string",)),
        ("gettext", ("Later",)),
        ("ngettext", ("one", "many")),
        ("pgettext", ("there", "Draw")),
    ]
