"""`manage.py makemessages`: Django's own, which also finds what gettext's tools overlook.

`xgettext` can't look inside f-strings, and knows Django's functions by their full names only. So it
is given each Python file with all its texts written out once more at the end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

TRANSLATION = "django.utils.translation"
ERRORS = "dominoes.rules.errors"


def calls(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts of a Python file: which of Django's functions takes them, and the literals.

    Functions are known by what they were imported as; the rules' `_` that does nothing counts as
    `gettext`. A call without a literal (a text from a variable) has none to collect.
    """
    tree = ast.parse(source)
    known = {"_": "gettext"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in (TRANSLATION, ERRORS):
            for name in node.names:
                if "gettext" in name.name:
                    known[name.asname or name.name] = name.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            kind = known.get(node.func.id, "").removesuffix("_lazy")
            texts = tuple(
                arg.value
                for arg in node.args
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )
            wanted = {"ngettext": 2, "pgettext": 2, "npgettext": 3}.get(kind, 1)
            if kind and len(texts) == wanted:
                yield kind, texts


class PythonToo(makemessages.BuildFile):
    """A file on its way to `xgettext`, Python files as well in a copy of their own."""

    @property
    def is_templatized(self) -> bool:
        return bool(self.domain == "django")

    def preprocess(self) -> None:
        """Write the copy that is read in the file's place."""
        if not self.path.endswith(".py"):
            super().preprocess()
            return
        source = Path(self.path).read_text(encoding="utf-8")
        lines = [
            f"{kind}({', '.join(map(repr, texts))}{', 1' if kind.startswith('n') else ''})"
            for kind, texts in calls(source)
        ]
        Path(self.work_path).write_text("\n".join([source, *lines, ""]), encoding="utf-8")


class Command(makemessages.Command):
    """Collects the texts; entries name their files, no lines, so that they change with the texts
    alone."""

    build_file_class = PythonToo

    def handle(self, *args: Any, **options: Any) -> None:
        options["add_location"] = options["add_location"] or "file"
        super().handle(*args, **options)
