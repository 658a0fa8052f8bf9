"""The Spanish catalogue as it is written, read without gettext's tools."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "locale" / "es" / "LC_MESSAGES"
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd]|%%\w+")


@dataclass
class Entry:
    """One text of a .po file with its translations; two of them where it is counted."""

    flags: str = ""
    places: str = ""
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """How a compiled catalogue names the text."""
        context = self.parts.get("msgctxt")
        return self.parts["msgid"] if context is None else f"{context}\4{self.parts['msgid']}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each form of the text with its translation."""
        if "msgid_plural" not in self.parts:
            return [(self.parts["msgid"], self.parts.get("msgstr", ""))]
        return [
            (self.parts["msgid"], self.parts.get("msgstr[0]", "")),
            (self.parts["msgid_plural"], self.parts.get("msgstr[1]", "")),
        ]


@cache
def entries() -> tuple[Entry, ...]:
    """All texts of the .po file, without its head."""
    found = [Entry()]
    name = ""
    for line in (CATALOGUE / "django.po").read_text(encoding="utf-8").splitlines():
        if not line.strip():
            found.append(Entry())
        elif line.startswith("#~"):
            pytest.fail(f"a text that is no more: {line}")
        elif line.startswith("#,"):
            found[-1].flags += line
        elif line.startswith("#:"):
            found[-1].places += line[2:]
        elif not line.startswith("#"):
            if not line.startswith('"'):
                name, _space, line = line.partition(" ")
                found[-1].parts[name] = ""
            found[-1].parts[name] += ast.literal_eval(line)
    return tuple(entry for entry in found if entry.parts.get("msgid"))
