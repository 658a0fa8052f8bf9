"""The load, a process of its own: reads one job as JSON, writes ``begin`` and the figures as JSON.

It plays at tables over plain asyncio sockets, the same way at the site and at the baseline. A move
counts when the last of the four seats has it; the next one at that table is sent then (closed
loop), or at its time (`rate` moves a second).
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import re
import sys
import time
from typing import Any

from tests.clients import HTML, JSON, Socket

SEQ = re.compile(r'"seq":\s?(\d+)')
BUTTON = re.compile(r'name=\\"move\\" value=\\"([^"\\]+)\\"')
TOGETHER = 60  # handshakes at a time when nobody measures them


class Table:
    """Four sockets at one table, and the move that is under way."""

    def __init__(self, job: dict[str, Any], given: dict[str, Any], chance: random.Random) -> None:
        self.job, self.code, self.tokens = job, given["code"], given["tokens"]
        self.addresses = job["addresses"]
        if job.get("whole_tables"):  # all four seats at one of the servers
            self.addresses = [self.addresses[given["number"] % len(self.addresses)]]
        self.bare = job["format"] == "bare"
        self.html = job["format"] == "html"
        self.chance = chance
        self.sockets: list[Socket] = []
        self.seqs = [-1] * 4
        self.words: list[list[str]] = [[] for _seat in range(4)]
        self.on_turn: int | None = 0 if self.bare else None
        self.readied = [-1] * 4
        self.asked: int | None = None  # the seq that the move under way was made on
        self.sent = self.due = 0.0
        self.playing = self.counting = False
        self.took: list[float] = []
        self.errors = 0
        self.said = ""  # the last refusal
        self.shown = [asyncio.get_running_loop().create_future() for _seat in range(4)]

    async def open(self, seat: int) -> None:
        """Connect one seat."""
        addresses = self.addresses
        token = None if self.bare else self.tokens[seat]
        socket = await Socket.open(
            tuple(addresses[seat % len(addresses)]),
            f"/ws/table/{self.code}/",
            token=token,
            subprotocol=HTML if self.html else JSON,
            listener=lambda text: self.hear(seat, text),
            patience=120,
        )
        self.sockets.append(socket)
        self.by_seat[seat] = socket
        if self.bare:
            self.seqs[seat] = max(self.seqs[seat], 0)
            if not self.shown[seat].done():
                self.shown[seat].set_result(None)

    @property
    def by_seat(self) -> dict[int, Socket]:
        return self.__dict__.setdefault("_by_seat", {})

    def hear(self, seat: int, text: str) -> None:
        """A message to that seat."""
        if not text.startswith('{"type":"table"') and not text.startswith('{"type": "table"'):
            if '"type":"error"' in text[:20]:
                self.errors += 1
                self.said = text
                if '"id":null' not in text:
                    self.asked = None  # the next picture brings a new try
                    if '"code":"rate"' in text:  # a seat may draw faster than it may speak
                        asyncio.get_running_loop().call_later(0.1, self.go_on)
            return
        found = SEQ.search(text, 0, 60)
        assert found is not None
        seq = int(found[1])
        self.seqs[seat] = seq
        if not self.shown[seat].done():
            self.shown[seat].set_result(None)
        if self.bare:
            self.on_turn = seq % 4
        elif self.html:
            self._read_html(seat, seq, text)
        else:
            self._read_json(seat, seq, text)
        self.go_on()

    def _read_json(self, seat: int, seq: int, text: str) -> None:
        at = text.rfind('"legal":[') + 8
        words = [] if text[at + 1] == "]" else json.loads(text[at:-1])
        self._turn(seat, words)
        if '"status":"between"' in text[:160]:
            self._ready(seat, seq, text)

    def _read_html(self, seat: int, seq: int, text: str) -> None:
        head = text[:400]
        if '"turn":true' in head:
            self._turn(seat, BUTTON.findall(text) or self.words[seat])
        else:
            self._turn(seat, [])
        if '"what":"deal"' in head:
            self._ready(seat, seq, text)

    def _turn(self, seat: int, words: list[str]) -> None:
        self.words[seat] = words
        if words:
            self.on_turn = seat
        elif self.on_turn == seat:
            self.on_turn = None

    def _ready(self, seat: int, seq: int, text: str) -> None:
        if self.playing and seq - self.readied[seat] > 8 and seat in self.by_seat:
            self.readied[seat] = seq
            self.by_seat[seat].send({"type": "ready"})

    def go_on(self) -> None:
        """Count a move that everybody has, and make the next one if it is its time."""
        low = min(self.seqs)
        if self.asked is not None:
            if low <= self.asked:
                return
            if self.counting:
                self.took.append(time.perf_counter() - self.sent)
            self.asked = None
        if not self.playing or self.on_turn is None or low != max(self.seqs):
            return
        rate = self.job.get("rate")
        if rate is None:
            self._move()
            return
        now = time.perf_counter()
        wait = self.due - now
        self.due = max(self.due, now - 1 / rate) + 1 / rate
        self.asked = 1 << 60  # waiting for its time
        asyncio.get_running_loop().call_later(max(0.0, wait), self._move)

    def _move(self) -> None:
        seat = self.on_turn
        if seat is None or not self.playing:
            self.asked = None
            return
        word = "6-4 left" if self.bare else self.chance.choice(self.words[seat])
        self.asked = self.seqs[seat]
        self.sent = time.perf_counter()
        self.by_seat[seat].send(
            {"type": "move", "id": f"{self.sent:.7f}", "seat": seat, "seq": self.asked}
            | {"move": word}
        )


async def play(job: dict[str, Any]) -> dict[str, Any]:
    """Most moves, or moves at a pace; the figures of the time that is counted."""
    tables = await _seated(job)
    rate = job.get("rate")
    for table in tables:
        table.playing = True
        if rate is not None:
            table.due = time.perf_counter() + table.chance.random() / rate
        for seat in range(4):
            if not table.bare:
                # A hand that ended when nobody was there to say so.
                table.by_seat[seat].send({"type": "ready"})
        table.go_on()
    await asyncio.sleep(job["warm"])
    gc.collect()
    gc.disable()
    for table in tables:
        table.counting = True
    print("begin", flush=True)
    start, used = time.perf_counter(), time.process_time()
    await asyncio.sleep(job["seconds"])
    seconds, used = time.perf_counter() - start, time.process_time() - used
    for table in tables:
        table.counting = False
    took = sorted(t for table in tables for t in table.took)
    print("end", flush=True)
    still = sum(not table.took for table in tables)
    for table in tables:
        table.playing = False
    await asyncio.sleep(0.1)
    for table in tables:
        for socket in table.sockets:
            socket.close()
    await asyncio.sleep(0.2)
    return {
        "moves": len(took),
        "seconds": seconds,
        "client": used,
        "p50": took[len(took) // 2] if took else None,
        "p95": took[int(len(took) * 0.95)] if took else None,
        "still": still,
        "errors": sum(table.errors for table in tables),
        "said": next((table.said for table in tables if table.said), ""),
    }


async def _seated(job: dict[str, Any]) -> list[Table]:
    chance = random.Random(28)
    tables = [Table(job, given, chance) for given in job["tables"]]
    several = asyncio.Semaphore(TOGETHER)

    async def come(table: Table, seat: int) -> None:
        async with several:
            await table.open(seat)
            await table.shown[seat]

    await asyncio.gather(*(come(table, seat) for table in tables for seat in range(4)))
    return tables


async def hold(job: dict[str, Any]) -> dict[str, Any]:
    """Sit at the tables and do nothing until told to go."""
    tables = await _seated(job)
    await asyncio.sleep(job["seconds"])
    print("begin", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    return {"sockets": sum(len(table.sockets) for table in tables)}


async def back(job: dict[str, Any]) -> dict[str, Any]:
    """All sockets come at once: seconds until each has its table (the baseline: is open)."""
    tables = [Table(job, given, random.Random(28)) for given in job["tables"]]
    print("begin", flush=True)
    start = time.perf_counter()
    seats = [(table, seat) for table in tables for seat in range(4)]
    await asyncio.gather(*(table.open(seat) for table, seat in seats))
    await asyncio.gather(*(table.shown[seat] for table, seat in seats))
    seconds = time.perf_counter() - start
    print("end", flush=True)
    for table in tables:
        for socket in table.sockets:
            socket.close()
    await asyncio.sleep(1)
    return {"seconds": seconds, "sockets": len(seats)}


WORK = {"play": play, "hold": hold, "back": back}


def main() -> None:
    """Do the job that comes as a line."""
    job = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(WORK[job["what"]](job))), flush=True)


if __name__ == "__main__":
    main()
