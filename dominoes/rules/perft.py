"""Counting positions: how many sequences of plies can follow. A number that no bug survives."""

from dominoes.rules.hand import Hand

#: No hand lasts nearly as long: 28 tiles, 21 draws, and knocks between them.
DEEPEST = 1000


def perft(hand: Hand, depth: int) -> list[int]:
    """How many different sequences of exactly 1, 2, … ``depth`` plies can follow in this hand.

    Draws and knocks are plies, ``left`` and ``right`` on equal ends count apart; a sequence that
    ends the hand counts at its own length only. The hand is left as it was.
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"the depth is a whole number from 0 to {DEEPEST}")
    counts = [0] * depth
    if depth:
        _count(hand, counts, 0)
    return counts


def _count(hand: Hand, counts: list[int], ply: int) -> None:
    counts[ply] += len(hand.legal)
    if ply + 1 == len(counts):
        return
    for move in hand.legal:
        after = hand.copy()
        after.play(move)
        if after.legal:
            _count(after, counts, ply + 1)
