"""Rule sheets: Markdown in `seeds/rules` becomes the pages that explain how to play.

A sheet is a file with a few facts at its head and the text below them. Besides plain Markdown there
are three marks of our own:

* `{#partners.blocked}` or, short for it in the sheet for Partners, `{#.blocked}`, gives the heading
  or paragraph it stands in that anchor. The rules name their reasons by the same words, so that
  "Why these points?" leads to the right paragraph;
* a fenced block ``diagram NAME`` draws a position (see `sheet_positions`), its text is the caption;
* a line `@include NAME` puts in a part that several sheets share, from `seeds/rules/parts`.

Translations stand in a folder with the language's code and have the same files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from dominoes.table.sheet_diagrams import figure, line_of
from dominoes.table.sheet_positions import position

FOLDER = Path("seeds") / "rules"
SOURCE_LANGUAGE = "en"
QUOTES = {"es": "«»“”"}

_INCLUDE = re.compile(r"^@include ([a-z-]+)$", re.MULTILINE)
_ANCHOR = re.compile(r"\s*\{#([\w.-]+)\}\s*")
_TILE = re.compile(r"\b[0-6]-[0-6]\b")
_TERM = re.compile(r"^(?P<term>.+)\n: (?P<text>.+)$", re.MULTILINE)


class BadSheet(ValueError):
    """A sheet that can't be read as it is written; says which, and why."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet ready to be shown: its facts, its text as HTML, its chapters as (anchor, title).

    ``picture`` is a line that stands for the system where all of them are listed, if it has one.
    """

    name: str
    title: str
    summary: str
    facts: Mapping[str, str]
    html: SafeString
    chapters: tuple[tuple[str, str], ...]
    picture: SafeString


@cache
def sheet(name: str, language: str = SOURCE_LANGUAGE) -> Sheet:
    """The sheet in that language, or in English where there is no translation of it.

    Raises ``BadSheet`` for a mistake in the file, ``FileNotFoundError`` if there is no such sheet.
    """
    head, text = _head(name, _read(f"{name}.md", language))
    text = _INCLUDE.sub(lambda found: _read(f"parts/{found[1]}.md", language), text)
    parser = _parser(language)
    env: dict[str, Any] = {"sheet": name, "anchors": set()}
    with override(language):
        tokens = parser.parse(text, env)
        html = parser.renderer.render(tokens, parser.options, env)
        picture = line_of(position(head.pop("picture"))) if "picture" in head else SafeString()
    return Sheet(
        name=name,
        title=head.pop("title"),
        summary=head.pop("summary", ""),
        facts=head,
        html=mark_safe(html),  # noqa: S308 -- our own files, and the renderer lets no HTML through
        chapters=_chapters(tokens),
        picture=picture,
    )


@cache
def terms(language: str = SOURCE_LANGUAGE) -> tuple[str, tuple[tuple[str, SafeString], ...]]:
    """The words of the game, in the order of the file: a title, then (word, what it means)."""
    head, text = _head("terms", _read("terms.md", language))
    parser = _parser(language)
    return head["title"], tuple(
        (found["term"], mark_safe(parser.renderInline(found["text"])))  # noqa: S308 -- as above
        for found in _TERM.finditer(text)
    )


def _read(name: str, language: str) -> str:
    folder = Path(settings.BASE_DIR) / FOLDER
    path = folder / language / name
    if language == SOURCE_LANGUAGE or not path.exists():
        path = folder / name
    return path.read_text(encoding="utf-8")


def _head(name: str, text: str) -> tuple[dict[str, str], str]:
    """The facts between the two lines of dashes at the top, and what follows them."""
    empty, fence, rest = text.partition("---\n")
    head, closing, body = rest.partition("\n---\n")
    if empty or not fence or not closing:
        raise BadSheet(f"{name}: the facts stand at the top, between two lines of dashes")
    facts = dict(re.findall(r"^(\w+): (.+)$", head, re.MULTILINE))
    if "title" not in facts:
        raise BadSheet(f"{name}: a sheet has a title")
    return facts, body


@cache
def _parser(language: str) -> MarkdownIt:
    parser = MarkdownIt(
        "commonmark",
        {"html": False, "typographer": True, "quotes": QUOTES.get(language[:2], "“”‘’")},
    )
    parser.enable(["table", "smartquotes", "replacements"])
    parser.core.ruler.after("block", "anchors", _anchors)
    parser.add_render_rule("text", _text)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)

    def fence(
        _self: RendererHTML,
        tokens: Sequence[Token],
        idx: int,
        _options: OptionsDict,
        env: MutableMapping[str, Any],
    ) -> str:
        token = tokens[idx]
        kind, _space, name = token.info.strip().partition(" ")
        if kind != "diagram":
            return f"<pre><code>{escape(token.content)}</code></pre>\n"
        caption = parser.renderInline(" ".join(token.content.split()), env)
        return f"{figure(position(name), caption)}\n"

    parser.add_render_rule("fence", fence)
    return parser


def _anchors(state: StateCore) -> None:
    """Turn `{#…}` into the id of the block that it stands in."""
    name = state.env.get("sheet", "")
    for place, token in enumerate(state.tokens):
        if token.type != "inline":
            continue
        found = _ANCHOR.findall(token.content)
        if not found:
            continue
        if len(found) > 1:
            raise BadSheet(f"{name}: one anchor to a block, not {found}")
        token.content = _ANCHOR.sub(" ", token.content).strip()
        anchor = f"{name}{found[0]}" if found[0].startswith(".") else found[0]
        if anchor in state.env["anchors"]:
            raise BadSheet(f"{name}: two blocks have the anchor {anchor}")
        state.env["anchors"].add(anchor)
        # In a tight list the paragraph itself isn't rendered: the item carries the anchor.
        opener = state.tokens[place - 1]
        if opener.hidden:
            opener = state.tokens[place - 2]
        opener.attrSet("id", anchor)


def _chapters(tokens: Sequence[Token]) -> tuple[tuple[str, str], ...]:
    found = []
    for place, token in enumerate(tokens):
        anchor = token.attrGet("id")
        if token.type == "heading_open" and token.tag == "h2" and anchor:
            found.append((str(anchor), tokens[place + 1].content))
    return tuple(found)


def _text(
    _self: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    _options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    """Text, with tiles kept in one piece: a line never breaks between 6 and 4."""
    return _TILE.sub(r'<span class="tl">\g<0></span>', str(escape(tokens[idx].content)))


def _table_open(
    _self: RendererHTML,
    _tokens: Sequence[Token],
    _idx: int,
    _options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    return '<div class="table-wrap"><table>\n'


def _table_close(
    _self: RendererHTML,
    _tokens: Sequence[Token],
    _idx: int,
    _options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    return "</table></div>\n"
