"""What pages call bots, seats and sides is nobody's name; the ladder's list holds all of it."""

from collections.abc import Iterator

import pytest
from django.utils import translation
from django.utils.translation import gettext as _

from dominoes.table import words
from dominoes.table.live import bot_name
from dominoes.table.seating import BOT_LEVELS
from ranking.names import is_reserved
from ranking.players import create_guest


def called(language: str) -> Iterator[str]:
    """What stands on pages in that language where somebody's name could stand."""
    with translation.override(language):
        for level in BOT_LEVELS:
            yield bot_name(level)
            shown = words.bot_name(level, "")
            assert shown
            yield shown
        yield from (_("Seat %(number)d") % {"number": number} for number in range(1, 5))
        yield from (_(text) for text in ("Us", "Them", "You", "you", "your side", "Computer"))


@pytest.mark.parametrize("language", ["en", "es"])
def test_nobody_is_called_as_the_table_calls_its_bots_and_seats(language: str) -> None:
    assert [name for name in called(language) if not is_reserved(name)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Easy bot", "Bot fácil", "Seat 2"])
def test_a_guest_is_told_so(name: str) -> None:
    with pytest.raises(ValueError, match="kept for the site itself"):
        create_guest(name)
