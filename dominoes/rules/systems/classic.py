"""Classic: the opening passes on from hand to hand; only two seats have a boneyard."""

from dominoes.rules.systems.base import System


class Classic(System):
    name = "classic"
    tables = {2: ("singles",), 4: ("singles", "partners")}
    forced = "first"
    later = "next"

    def draws(self, players: int) -> bool:
        return players == 2
