"""Tables to measure at: ``python -m tests.bench.filling 50`` begins fifty matches of four people.

Prints a JSON list of tables, each its code and the tokens of its four seats. The matches have a
target that no bench reaches, so they go on for as long as they are measured.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace

FAR = 30_000  # points


def main() -> None:
    """Fill, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tables", type=int)
    parser.add_argument("--rules", default="draw")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
    import django

    django.setup()
    from django.db import transaction

    # All in one transaction: nothing of it has to survive a power cut by itself.
    with transaction.atomic():
        made = [_table(asked.rules, n) for n in range(asked.tables)]
    print(json.dumps(made))


def _table(rules: str, number: int) -> dict[str, object]:
    from django.utils.crypto import get_random_string

    from dominoes.table import beginning, choosing, seating, store
    from ranking.models import Player
    from ranking.players import make_token

    wanted = choosing.check_choices(
        rules=rules, players=4, sides="singles" if rules == "draw" else None, turn_seconds=600
    )
    wanted = replace(wanted, options=replace(wanted.options, target=FAR))
    names = [f"Bench {number} {seat} {get_random_string(6)}" for seat in range(4)]
    people = [Player.objects.create(name=n, name_key=n.lower(), is_guest=True) for n in names]
    code = store.call(seating.create_table, people[0].pk, wanted)
    for seat in range(1, 4):
        store.call(seating.sit, code, people[seat].pk, seat)
    store.call(beginning.start, code, people[0].pk)
    return {"code": code, "tokens": [make_token(person) for person in people]}


if __name__ == "__main__":
    main()
