"""Tables of programs that play as soon as they can, whatever happens to the servers.

Every picture that any of them got is kept, and so is what pages got that looked on: audit.py holds
all of it against what is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from tests.clients import HTML, Address, Person, Rejected, Socket
from tests.faults.farm import Farm
from tests.programs import Program, play_out, until

# Rules, seats, sides, target: every system and number of seats, matches of a few hands.
SETUPS = [
    ("draw", 2, "singles", 60),
    ("partners", 4, "partners", 60),
    ("fives", 2, "singles", 100),
    ("classic", 4, "partners", 60),
    ("draw", 3, "singles", 60),
    ("fives", 4, "partners", 100),
    ("classic", 2, "singles", 60),
    ("fives", 3, "singles", 100),
    ("draw", 4, "singles", 60),
    ("classic", 4, "singles", 60),
]

_run = secrets.token_hex(2)
_names = itertools.count(1)


async def people(farm: Farm, number: int) -> list[Person]:
    """New guests, with names that nobody has."""
    return [
        await farm.ask(lambda api: api.guest(f"Player {_run} {next(_names)}"))
        for _ in range(number)
    ]


@dataclass
class Page:
    """A page open beside a program: a socket in the pages' format, wherever the program's is.

    At another process it would hold the seat while the program's own process can't be reached.
    """

    beside: Program
    seat: int | None  # None: nobody is signed in on it
    texts: list[str] = field(default_factory=list)

    async def look(self) -> None:
        """Look on until cancelled; open the socket again whenever it ends."""
        token = None if self.seat is None else self.beside.person.token
        while True:
            while self.beside.socket is None:
                await asyncio.sleep(0.02)
            with contextlib.suppress(OSError, Rejected, TimeoutError):
                ws = await Socket.open(
                    self.beside.socket.address,
                    f"/ws/table/{self.beside.code}/",
                    token=token,
                    subprotocol=HTML,
                    listener=self.texts.append,
                    patience=10,
                )
                try:
                    await asyncio.shield(ws.gone)
                finally:
                    ws.close()
            await asyncio.sleep(0.1)


@dataclass
class Match:
    """A match that programs play: who sits there, and everything that they and pages were told."""

    code: str
    id: str
    people: list[Person]
    programs: list[Program]  # by seat, then a spectator
    pages: list[Page]

    @property
    def moves(self) -> int:
        """How many moves were acknowledged so far."""
        return sum(len(program.acknowledged) for program in self.programs)

    async def play(self, patience: float) -> None:
        """Play it to its end. Raises ExceptionGroup of what went wrong, TimeoutError."""
        looking = [asyncio.ensure_future(page.look()) for page in self.pages]
        try:
            await play_out(self.programs, patience)
        finally:
            for task in looking:
                task.cancel()
            await asyncio.gather(*looking, return_exceptions=True)


async def begin(
    farm: Farm,
    number: int = 0,
    crowd: Sequence[Person] | None = None,
    *,
    setup: tuple[str, int, str, int] | None = None,
    servers: Sequence[Address] | None = None,
    pause: Callable[[], float] | None = None,
    **choices: object,
) -> Match:
    """A match about to be played: the setup with that number, its seats' programs and onlookers.

    `crowd`: who sits there, and one who looks on.
    """
    rules, players, sides, target = setup or SETUPS[number % len(SETUPS)]
    crowd = list(crowd or await people(farm, players + 1))
    seated = crowd[:players]
    code, id = await farm.ask(
        lambda api: api.table(rules, seated, sides=sides, target=target, **choices), first=number
    )
    servers = servers or farm.addresses
    programs = [Program(servers, code, person, keeps=True, pause=pause) for person in crowd]
    seat = number % players
    pages = [Page(programs[seat], seat), Page(programs[-1], None)]
    return Match(code, id, seated, programs, pages)


class Crowd:
    """Tables of every setup, at each of which match after match is played until it is enough."""

    def __init__(self, farm: Farm, tables: int, patience: float, **choices: object) -> None:
        self.farm, self.tables, self.patience, self.choices = farm, tables, patience, choices
        self.played: list[Match] = []
        self._enough = asyncio.Event()

    @property
    def moves(self) -> int:
        """How many moves were acknowledged so far."""
        return sum(match.moves for match in self.played)

    def enough(self) -> None:
        """Matches under way are played out, no new ones begin."""
        self._enough.set()

    async def play(self) -> None:
        """Play until it was enough. Raises ExceptionGroup of what went wrong."""
        async with asyncio.TaskGroup() as group:
            for number in range(self.tables):
                group.create_task(self._carry_on(number))

    async def _carry_on(self, number: int) -> None:
        people_there = await people(self.farm, SETUPS[number % len(SETUPS)][1] + 1)
        first = True
        while first or not self._enough.is_set():
            first = False
            match = await begin(self.farm, number, people_there, **self.choices)
            self.played.append(match)
            await match.play(self.patience)

    async def under_way(self) -> None:
        """Wait until a move was made at every table."""
        await until(
            lambda: sum(1 for match in self.played if match.moves) >= self.tables, self.patience
        )

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Do something while all tables are being played at; then matches are played out."""
        async with asyncio.timeout(self.patience), asyncio.TaskGroup() as group:
            group.create_task(self.play())
            await self.under_way()
            try:
                yield
            finally:
                self.enough()
