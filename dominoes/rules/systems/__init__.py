"""The four systems by name. Each file states only what differs from ``base.System``."""

from dominoes.rules.systems.base import System
from dominoes.rules.systems.classic import Classic
from dominoes.rules.systems.draw import Draw
from dominoes.rules.systems.fives import Fives
from dominoes.rules.systems.partners import Partners

SYSTEMS: dict[str, System] = {
    system.name: system for system in (Partners(), Draw(), Classic(), Fives())
}

__all__ = ["SYSTEMS", "System"]
