"""What people may set to their liking; kept with the player as JSON, guests' too.

Other apps add switches of their own (`register`, from their `AppConfig.ready`), which the
settings page shows in a section of that name and which are kept under it:
`{"language": "es", "theme": "dark", "table": {"big": true}}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _lazy

from ranking.models import Player

THEMES = [("", _lazy("as the device")), ("light", _lazy("day")), ("dark", _lazy("night"))]


@dataclass(frozen=True, slots=True)
class Switch:
    """Something to turn on or off, in a section of the settings ("" for the site's own)."""

    section: str
    name: str
    label: Any
    help: Any = ""
    default: bool = False


_switches: dict[tuple[str, str], Switch] = {}
_sections: dict[str, Any] = {"": _lazy("The site")}


def register(switch: Switch, section_title: Any = None) -> None:
    """Add a switch to the settings; the title counts for its whole section."""
    _switches[switch.section, switch.name] = switch
    if section_title is not None:
        _sections[switch.section] = section_title


def switches() -> list[Switch]:
    """All switches, in the order in which they were added."""
    return list(_switches.values())


def section_title(section: str) -> str:
    """What the settings page calls a section."""
    return str(_sections.get(section, section))


def of(player: Player | None) -> dict[str, Any]:
    """The player's preferences, with the defaults where nothing is set."""
    stored: Mapping[str, Any] = player.prefs if player is not None else {}
    found: dict[str, Any] = {
        "language": stored.get("language", ""),
        "theme": stored.get("theme", ""),
    }
    for switch in switches():
        where, kept = found, stored
        if switch.section:
            where = found.setdefault(switch.section, {})
            kept = stored.get(switch.section) or {}
        where[switch.name] = bool(kept.get(switch.name, switch.default))
    return found


def store(player: Player, chosen: Mapping[str, Any]) -> None:
    """Keep what the player chose. Unknown words are dropped; what isn't mentioned stays."""
    kept = {**player.prefs}
    if chosen.get("language") in {"", *dict(settings.LANGUAGES)}:
        kept["language"] = chosen["language"]
    if chosen.get("theme") in dict(THEMES):
        kept["theme"] = chosen["theme"]
    for switch in switches():
        given = chosen.get(switch.section) if switch.section else chosen
        if isinstance(given, Mapping) and isinstance(given.get(switch.name), bool):
            where = kept
            if switch.section:
                where = kept[switch.section] = {**(kept.get(switch.section) or {})}
            where[switch.name] = given[switch.name]
    player.prefs = kept
    player.save(update_fields=["prefs"])
