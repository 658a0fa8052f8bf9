"""Whether the fair deals are as chance would have them: very many of them, counted.

Three questions, each answered by a chi-square figure and the probability of one as large by
chance alone: does every tile come at every place of the deck alike; how many doubles does a rack
of seven have; how many tiles of each number does it have.
"""

import argparse
import math
import secrets
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from time import perf_counter

from dominoes.bench.tables import table
from dominoes.rules.deal import HANDS, label_of, shuffled
from dominoes.rules.tiles import CARRIES, DOUBLES, PIPS, TILES

HELP = "a million fair deals: tiles by place, doubles and suits by rack, against chance"

SEATS = 4
RACK = 7
#: Below this, by chance alone, a figure of the many would hardly ever fall in a thousand runs.
ODD = 1e-6


class Counts:
    """What was counted over many deals to four racks of seven."""

    def __init__(self) -> None:
        self.deals = 0
        self.places = [[0] * TILES for _place in range(TILES)]
        self.doubles = [[0] * (RACK + 1) for _seat in range(SEATS)]
        self.suits = [[[0] * (RACK + 1) for _pips in PIPS] for _seat in range(SEATS)]

    def add(self, deck: Sequence[int]) -> None:
        """Count one deck."""
        self.deals += 1
        for tiles, tile in zip(self.places, deck, strict=True):
            tiles[tile] += 1
        for seat in range(SEATS):
            rack = 0
            for tile in deck[seat * RACK : seat * RACK + RACK]:
                rack |= 1 << tile
            self.doubles[seat][(rack & DOUBLES).bit_count()] += 1
            for suit, carries in zip(self.suits[seat], CARRIES, strict=True):
                suit[(rack & carries).bit_count()] += 1


def decks(count: int) -> Iterator[list[int]]:
    """So many decks as a table would deal them: chains of a thousand hands, with four seeds."""
    while count > 0:
        value = secrets.token_bytes(32)
        values = [value]
        for _step in range(HANDS):
            value = sha256(value).digest()
            values.append(value)
        commit = values.pop().hex()
        seeds = [secrets.token_hex(32) for _seat in range(SEATS)]
        for hand in range(1, min(HANDS, count) + 1):
            yield shuffled(values[HANDS - hand], label_of(commit, hand, seeds))
        count -= HANDS


def expected(deals: int) -> list[float]:
    """In how many of so many racks of seven there would be 0, 1, … 7 of seven given tiles."""
    ways = math.comb(TILES, RACK)
    return [
        deals * math.comb(7, held) * math.comb(TILES - 7, RACK - held) / ways
        for held in range(RACK + 1)
    ]


def chi_square(seen: Sequence[float], due: Sequence[float]) -> tuple[float, int]:
    """The figure and its degrees of freedom; classes of fewer than five are put together."""
    classes: list[tuple[float, float]] = []
    small = (0.0, 0.0)
    for pair in zip(seen, due, strict=True):
        if pair[1] < 5:
            small = (small[0] + pair[0], small[1] + pair[1])
        else:
            classes.append(pair)
    if small[1] and classes:
        if small[1] < 5:
            last = classes.pop()
            small = (small[0] + last[0], small[1] + last[1])
        classes.append(small)
    return sum((o - e) ** 2 / e for o, e in classes), max(1, len(classes) - 1)


def by_chance(figure: float, freedom: int) -> float:
    """The probability of a chi-square as large, by the upper regularized gamma function."""
    shape, x = freedom / 2, figure / 2
    if x <= 0:
        return 1.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while abs(term) > abs(total) * 1e-15:
            step += 1
            term *= x / step
            total += term
        return max(0.0, 1 - total * scale)
    # The continued fraction of Lentz, which converges where the series does not.
    tiny = 1e-300
    b = x + 1 - shape
    c = 1 / tiny
    d = 1 / b
    fraction = d
    for step in range(1, 10_000):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * fraction


def main(arguments: Sequence[str]) -> int:
    """Deal, count, print; exit status 1 if a figure is one that chance hardly ever brings."""
    parser = argparse.ArgumentParser(prog="manage.py bench deals", description=HELP)
    parser.add_argument("--count", type=int, default=1_000_000, help="deals (1,000,000)")
    count = max(1, parser.parse_args(arguments).count)
    counts = Counts()
    shows = sys.stderr.isatty()
    start = perf_counter()
    for deck in decks(count):
        counts.add(deck)
        if shows and not counts.deals % 20_000:
            sys.stderr.write(f"\r{counts.deals:,} of {count:,}")
    seconds = perf_counter() - start
    if shows:
        sys.stderr.write("\r")
    sys.stdout.write(f"{counts.deals:,} deals in {seconds:.1f} s\n")
    worst = min(_places(counts), _doubles(counts), _suits(counts))
    sys.stdout.write(
        f"\nThe least probable of these figures: {worst:.3g}"
        f" ({'as chance would have it' if worst >= ODD else 'NOT as chance would have it'})\n"
    )
    return 0 if worst >= ODD else 1


def _places(counts: Counts) -> float:
    due = counts.deals / TILES
    cells = [seen for place in counts.places for seen in place]
    # A deck holds every tile once, so rows and columns are both given: 27 × 27 degrees.
    figure = sum((seen - due) ** 2 / due for seen in cells) * (TILES - 1) / TILES
    freedom = (TILES - 1) ** 2
    chance = by_chance(figure, freedom)
    sys.stdout.write(
        f"\nEvery tile at every place: {TILES * TILES} counts, {due:,.1f} due to each, "
        f"from {min(cells):,} to {max(cells):,} seen\n"
        f"chi-square {figure:.1f} at {freedom} degrees, by chance {chance:.3f}\n"
    )
    return chance


def _doubles(counts: Counts) -> float:
    due = expected(counts.deals)
    sys.stdout.write("\nDoubles in a rack of seven, by seat\n")
    return _print(due, [(f"seat {s}", seen) for s, seen in enumerate(counts.doubles)])


def _suits(counts: Counts) -> float:
    due = expected(counts.deals)
    rows = [
        (f"seat {seat}, number {pips}", suit)
        for seat, suits in enumerate(counts.suits)
        for pips, suit in enumerate(suits)
    ]
    sys.stdout.write("\nTiles of one number in a rack of seven, by seat and number\n")
    return _print(due, rows)


def _print(due: Sequence[float], rows: Sequence[tuple[str, Sequence[int]]]) -> float:
    """A table of seen against due; gives the least probability, times how many there are."""
    least = 1.0
    lines: list[tuple[object, ...]] = [("due", *(f"{n:,.1f}" for n in due), "", "")]
    for name, seen in rows:
        figure, freedom = chi_square(seen, due)
        chance = by_chance(figure, freedom)
        least = min(least, chance)
        lines.append((name, *seen, f"{figure:.2f}", f"{chance:.3f}"))
    head = ("", *(str(n) for n in range(len(due))), "chi-square", "by chance")
    sys.stdout.write(table(head, lines) + "\n")
    return min(1.0, least * len(rows))
