"""Names of people: which are allowed, and which look too much like one another.

Two functions carry all of it. `clean_name` makes what somebody typed fit to be shown, or says
why it can't be. `fold` gives the key under which a name is unique: names that differ only in
case, accents, separators or in letters that look alike have the same key.
"""

import re
import unicodedata

from django.utils.translation import gettext as _

MAX_LENGTH = 32
"""Longest name, in characters."""

LONGEST = 20 * MAX_LENGTH
"""No name has a longer key: one letter becomes eighteen at the most."""

MAX_MARKS = 3
"""Most accents stacked on one letter: enough for every living script, too few to climb."""

PUNCTUATION = frozenset(" -_.'()!+,:*~&·")
"""What may stand in a name beside letters and digits. Nothing that ends a path or opens a tag."""

_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "‐": "-", "‑": "-", "–": "-"})

# Letters of other scripts, and digits, that are drawn like a Latin letter. Case is folded before,
# so a letter whose capital and small form are drawn like two different ones goes by the capital,
# which can't be told apart at all (Greek Ν and N; its small ν and v can, in most fonts).
_LOOK_ALIKE = str.maketrans(
    {
        # digits and strokes
        "0": "o",
        "1": "l",
        "i": "l",
        "|": "l",
        "!": "l",
        "ı": "l",
        "ȷ": "j",
        "ɩ": "l",
        # Latin with a stroke or of an older form
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "ħ": "h",
        "ŧ": "t",
        "ɑ": "a",
        "ɡ": "g",
        "ƒ": "f",
        # Cyrillic
        "а": "a",
        "в": "b",
        "е": "e",
        "є": "e",
        "к": "k",
        "м": "m",
        "н": "h",
        "о": "o",
        "р": "p",
        "с": "c",
        "т": "t",
        "у": "y",
        "ү": "y",
        "х": "x",
        "ѕ": "s",
        "і": "l",
        "ј": "j",
        "ԁ": "d",
        "ԛ": "q",
        "ԝ": "w",
        "һ": "h",
        "ӏ": "l",
        "ь": "b",
        "г": "r",
        "з": "3",
        # Greek
        "α": "a",
        "β": "b",
        "γ": "y",
        "ε": "e",
        "ζ": "z",
        "η": "h",
        "ι": "l",
        "κ": "k",
        "μ": "m",
        "ν": "n",
        "ο": "o",
        "ρ": "p",
        "σ": "o",
        "τ": "t",
        "υ": "y",
        "χ": "x",
        "ϲ": "c",
        "ϳ": "j",
        # Armenian and Hebrew
        "օ": "o",
        "ս": "u",
        "հ": "h",
        "ո": "n",
        "ց": "g",
        "զ": "q",
        "ס": "o",
        "ו": "l",
        "ן": "l",
    }
)

_PAIRS = (("rn", "m"), ("vv", "w"))

_STAFF = frozenset({"admin", "administrator", "moderator", "mod", "root", "staff", "support",
                    "system", "server", "official", "webmaster",
                    "administrador", "administradora", "moderador", "moderadora", "oficial",
                    "servidor", "sistema", "soporte"})  # fmt: skip
# Of these, parts of longer names that are somebody's own.
_ALONE = frozenset({"mod", "root", "server", "servidor", "sistema", "support", "soporte"})
_NOBODY = frozenset({"anonymous", "bot", "bots", "computer", "dealer", "guest", "me", "nobody",
                     "null", "none", "player", "spectator", "them", "undefined", "us", "you",
                     "your side", "former player",
                     "anónimo", "anónima", "computadora", "ellas", "ellos", "espectador",
                     "espectadora", "invitada", "invitado", "jugador", "jugadora", "nadie",
                     "nosotras", "nosotros", "tú", "tu lado", "usted", "ustedes", "yo",
                     })  # fmt: skip
# What pages call a seat, or the bot in it; a number makes none of it anybody's name. Which bots
# there are is the table's matter: a test holds this against what it calls them.
_SEATS = frozenset({"seat", "asiento", "puesto", "easy bot", "steady bot", "bot fácil",
                    "bot firme"})  # fmt: skip


def clean_name(text: str) -> str:
    """The name as it will be shown, made from what somebody typed.

    Compatibility forms become plain ones, invisible and direction-changing characters go, runs
    of spaces become one. Raises ValueError, with a sentence for that person, when what is left
    is empty, longer than `MAX_LENGTH` or holds a character that a name can't have.
    """
    plain = unicodedata.normalize("NFKC", text[: 16 * MAX_LENGTH]).translate(_QUOTES)
    shown = "".join(
        " " if char.isspace() else char
        for char in plain
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    name = unicodedata.normalize("NFC", re.sub(" +", " ", shown).strip())
    if not name:
        raise ValueError(_("Please give a name."))
    if len(name) > MAX_LENGTH:
        raise ValueError(
            _("That name is too long: %(most)d characters at the most.") % {"most": MAX_LENGTH}
        )
    marks = 0
    for char in name:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if (char not in PUNCTUATION and kind[0] not in "LMN") or marks > MAX_MARKS:
            raise ValueError(
                _("A name has letters, digits, spaces and - _ . ' in it, but no “%(char)s”.")
                % {"char": char}
            )
    if not fold(name):
        raise ValueError(_("A name needs a letter or a digit."))
    return name


def fold(name: str) -> str:
    """The key of a name: equal for names that people would take for one another.

    Case, accents, spaces and punctuation don't count, and letters drawn alike are one (O and 0;
    I, l and 1; Cyrillic а and Latin a; rn and m). Folding a key gives the same key. Of what can be
    nobody's name for its length only the beginning is read.
    """
    key = name[:LONGEST]
    while True:
        before, key = key, _fold_once(key)
        if key == before:
            return key


def _fold_once(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = []
    for char in apart:
        char = char.translate(_LOOK_ALIKE)
        kind = unicodedata.category(char)[0]
        if kind == "N" and not char.isascii():
            digit = unicodedata.digit(char, None)
            char = char if digit is None else str(digit).translate(_LOOK_ALIKE)
        # Accents of Latin, Greek and Cyrillic sit above or below (classes from 202 on) or go
        # through (1); vowel and voicing signs of other scripts make another letter and stay.
        above = 202 <= unicodedata.combining(char) <= 240 or unicodedata.combining(char) == 1
        if kind in "LN" or (kind == "M" and not above):
            kept.append(char)
    key = "".join(kept)
    for pair, single in _PAIRS:
        key = key.replace(pair, single)
    return unicodedata.normalize("NFKC", key)


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and spelling forms (look-alikes are not)."""
    return _caseless(one) == _caseless(other)


def _caseless(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


_STAFF_KEYS = frozenset(fold(word) for word in _STAFF)
_ALONE_KEYS = frozenset(fold(word) for word in _ALONE)
_NOBODY_KEYS = frozenset(fold(word) for word in _NOBODY)
_SEAT_KEYS = frozenset(fold(word) for word in _SEATS)
_FORMER_KEY = fold("former player")


def is_reserved(name: str) -> bool:
    """Whether nobody may have this name.

    It would pass for the site, its staff, a seat, a bot or for no one.
    """
    return fold(name) in _NOBODY_KEYS or names_a_seat(name) or sounds_official(name)


def names_a_seat(name: str) -> bool:
    """Whether a name would pass for a seat or the bot in it, also with a number."""
    key = fold(name)
    return any(re.fullmatch(f"{re.escape(word)}[2-9lo]*", key) for word in _SEAT_KEYS)


def sounds_official(name: str) -> bool:
    """Whether a name would pass for the site or its staff, also with a number or a suffix."""
    key = fold(name).rstrip("23456789lo")
    words = {fold(word) for word in re.split(r"[^\w]|_", name) if word}
    return (
        fold(name) in _STAFF_KEYS
        or key in {word.rstrip("lo") for word in _STAFF_KEYS}
        or bool(words & _STAFF_KEYS - _ALONE_KEYS)
        or fold(name).startswith(_FORMER_KEY)
    )
