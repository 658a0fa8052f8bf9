"""Bots: `choose` looks at what its seat may see and answers with a move word."""

from dominoes.bots.choose import LEVELS, choose

__all__ = ["LEVELS", "choose"]
