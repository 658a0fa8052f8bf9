"""What people may be called, and which names are one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.names import (
    MAX_LENGTH,
    clean_name,
    fold,
    is_reserved,
    names_a_seat,
    same_name,
    sounds_official,
)

texts = st.text(max_size=60)
letters = st.text(st.characters(categories=["L", "N", "M"]), min_size=1, max_size=20)


def cleaned(text: str) -> str | None:
    try:
        return clean_name(text)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana   Maria ", "Ana Maria"),
        ("Ａｎａ", "Ana"),
        ("A\u200bn\u200da\u202e", "Ana"),
        ("Jose\u0301", "José"),
        ("O’Neill", "O'Neill"),
        ("Zoë", "Zoë"),
        ("かぐや", "かぐや"),
        ("Владимир", "Владимир"),
        ("محمد", "محمد"),
        ("नमस्ते", "नमस्ते"),
        ("A", "A"),
        ("7", "7"),
        ("a\tb\nc", "a b c"),
    ],
)
def test_names_are_shown_clean(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize(
    "typed",
    ["", "   ", "\u200b", "...", "-_-", "a/b", "a\\b", "<b>", 'a"b', "a?b", "a#b", "a%b", "a@b",
     "x" * (MAX_LENGTH + 1), "x" * 10_000, "Z" + "\u0335" * 9 + "o", "🂠", "a\ufffd", "\u0301"],
)  # fmt: skip
def test_names_that_cannot_be_shown_are_refused_in_words(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^.{10,}\.$"):
        clean_name(typed)


@given(texts)
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    name = cleaned(text)
    if name is not None:
        assert clean_name(name) == name
        assert 1 <= len(name) <= MAX_LENGTH
        assert name == unicodedata.normalize("NFC", name) == name.strip()
        assert not any(unicodedata.category(char)[0] == "C" for char in name)
        assert not set(name) & set("/\\<>\"'"[:-1] + "?#%&"[:-1])


@given(texts)
def test_a_key_is_the_key_of_itself(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_a_key_fits_its_column(text: str) -> None:
    name = cleaned(text)
    if name is not None:
        assert 1 <= len(fold(name)) <= 4 * MAX_LENGTH


@given(letters)
def test_case_and_spelling_forms_never_make_another_name(text: str) -> None:
    for other in (text.upper(), text.lower(), text.title(), unicodedata.normalize("NFD", text)):
        if same_name(text, other):
            assert fold(other) == fold(text)


@given(st.text("abcdefghjkmnpqrstuvwxyz", min_size=1, max_size=12), st.data())
def test_separators_and_accents_do_not_count(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    for extra in (" ", "-", "_", ".", "\u0301", "\u0308", "\u200b"):
        assert fold(text[:place] + extra + text[place:]) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "Аnа"),  # Cyrillic А and а
        ("Otto", "0tt0"),
        ("Ilse", "llse"),
        ("Ilse", "1lse"),
        ("Paul", "Раul"),  # Cyrillic Р, а
        ("Nora", "Νοra"),  # Greek Ν, ο
        ("Zoe", "Zoë"),
        ("Bernd", "Bemd"),
        ("Walter", "VValter"),
        ("Ana-2", "Ana 2"),
        ("Weiß", "Weiss"),
        ("Ana", "𝐀𝐧𝐚"),
        ("five5", "five٥"),  # an Arabic digit
        ("Søren", "Soren"),
        ("Łukasz", "Lukasz"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Anna"), ("Ana", "Ena"), ("かき", "がき"), ("Jan", "Jen"), ("Ana-2", "Ana-3")],
)
def test_names_that_differ_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_a_look_alike_is_not_the_same_name() -> None:
    assert same_name("Ana", "aNA")
    assert same_name("José", "JOSE\u0301")
    assert not same_name("Ilse", "llse")


@pytest.mark.parametrize(
    "name",
    ["admin", "Admin", "ADM1N", "аdmin", "a d m i n", "Admin-2", "admin99", "Site Admin",
     "moderator", "System", "Moderator Ana", "Former player 12",
     "Moderador", "Moderadora Ana", "mоderador", "Administrador", "administradora2", "Soporte",
     "S0porte", "Sistema", "Oficial"],
)  # fmt: skip
def test_nobody_passes_for_the_people_who_run_the_site(name: str) -> None:
    assert sounds_official(name)
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["bot", "Guest", "B0T", "computer", "You", "me",
                                  "Us", "Them", "Tú", "TU", "Тú", "Nosotros", "N0s0tros", "Ellos",
                                  "eIlos", "Nadie", "Usted"])  # fmt: skip
def test_nobody_is_called_nobody(name: str) -> None:
    assert is_reserved(name)
    assert not sounds_official(name)


@pytest.mark.parametrize(
    "name",
    ["Seat 2", "seat", "Seat l", "Ѕeаt 3", "Asiento 2", "asient0-4", "Puesto 1", "Easy bot",
     "EasyBot 2", "Eаsy b0t", "Steady bot", "Bot fácil", "B0t Faci1", "bot firme 3"],
)  # fmt: skip
def test_nobody_passes_for_a_seat_or_its_bot(name: str) -> None:
    assert names_a_seat(name)
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name",
    ["Ana", "Botticelli", "bot-7", "guest 3", "Modesto", "Rooter", "Adminia", "Meg", "Ruth",
     "Usman", "Tulio", "Themba", "Seatonia", "Yolanda", "Sistema Solar", "Puestos", "Firme"],
)  # fmt: skip
def test_ordinary_names_are_free(name: str) -> None:
    assert not is_reserved(name)
