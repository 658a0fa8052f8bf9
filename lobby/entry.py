"""Coming in: a guest needs a name and nothing more, given in the same step that begins to play."""

from __future__ import annotations

import secrets

from django.http import HttpRequest
from django.utils.translation import get_language

from ranking.http import limit, player_of
from ranking.models import Player
from ranking.sessions import sign_in_guest

_FIRST = (
    "Brisk", "Calm", "Clever", "Copper", "Early", "Gentle", "Golden", "Happy", "Ivory", "Jolly",
    "Kind", "Late", "Lively", "Lucky", "Merry", "Mild", "Noble", "Patient", "Proud", "Quick",
    "Quiet", "Rosy", "Silver", "Sly", "Steady", "Sunny", "Swift", "Tidy", "Warm", "Wise",
)  # fmt: skip
_SECOND = (
    "Banyan", "Breeze", "Cedar", "Ceiba", "Crane", "Egret", "Fern", "Gecko", "Guava", "Harbor",
    "Heron", "Hibiscus", "Ibis", "Iguana", "Jasmine", "Lantern", "Lime", "Mango",
    "Marlin", "Orchid", "Palm", "Papaya", "Parrot", "Pelican", "Plantain", "Porch", "Rooster",
    "Tamarind", "Tern", "Toucan", "Veranda", "Walnut", "Willow",
)  # fmt: skip
# In Spanish the second word is one that fits a noun of either gender.
_FIRST_ES = (
    "Balcón", "Brisa", "Cedro", "Ceiba", "Cocuyo", "Colibrí", "Coquí", "Farol", "Flamboyán",
    "Gallo", "Garza", "Guayaba", "Hamaca", "Iguana", "Jazmín", "Lima", "Mango", "Marlín",
    "Orquídea", "Palma", "Papaya", "Pelícano", "Tamarindo", "Tinajón", "Tucán", "Yagrumo",
)  # fmt: skip
_SECOND_ES = (
    "Alegre", "Amable", "Ardiente", "Audaz", "Brillante", "Elegante", "Feliz", "Fiel", "Firme",
    "Fuerte", "Gentil", "Grande", "Noble", "Paciente", "Prudente", "Puntual", "Radiante",
    "Silvestre", "Sonriente", "Suave", "Tenaz", "Valiente", "Veloz", "Verde",
)  # fmt: skip


def suggested_name() -> str:
    """A friendly name for a newcomer, so that nothing has to be typed to play."""
    if (get_language() or "").startswith("es"):
        return f"{secrets.choice(_FIRST_ES)} {secrets.choice(_SECOND_ES)}"
    return f"{secrets.choice(_FIRST)} {secrets.choice(_SECOND)}"


def enter(request: HttpRequest) -> Player:
    """Whoever sent this form: signed in already, or a new guest by the form's `name`.

    Signs the guest in. Raises ValueError with a sentence when the name won't do, ApiError 429 when
    too many guests came from the address.
    """
    player = player_of(request)
    if player is not None:
        return player
    limit("guests", request)
    return sign_in_guest(request, request.POST.get("name", ""))
