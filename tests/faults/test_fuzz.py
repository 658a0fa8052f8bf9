"""Frames and bodies that nobody would send on purpose: clean errors, and everybody is served."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.parse
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.clients import Address, Api, Closed, Person, Socket
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import people
from tests.faults.pulse import Pulse, memory

CODES = {
    "not_your_turn", "illegal", "stale", "over", "not_seated", "not_now", "bad_message", "rate",
}  # fmt: skip
# What a client may be closed with for what it sent: protocol errors, no text, too large, a flood.
CLOSES = {1002, 1003, 1007, 1009, 4429}
LAST = "the last word"
MEMORY = 64.0  # MB that the process may grow by
SERVED = 3.0  # seconds within which others have their answer, while this process makes things up


def forms(short: int, long: int) -> list[Any]:
    """How many examples `make test` tries, and `make faults`."""
    return [
        pytest.param(short, id="short", marks=pytest.mark.faults),
        pytest.param(long, id="long", marks=pytest.mark.faults_long),
    ]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
WORDS = ["6-4", "6-6", "0-0 left", "1-0 right", "3-3 up", "draw", "knock", "leave 0", "agree", ""]
TYPES = [
    "move", "ready", "leave", "offer_draw", "accept_draw", "claim", "seed", "say", "ping", "table",
]  # fmt: skip

message = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | anything},
    optional={
        "id": st.text(max_size=70) | anything,
        "seq": st.integers(-2, 40) | anything,
        "move": st.sampled_from(WORDS) | st.text(max_size=70) | anything,
        "seed": st.text("0123456789abcdefXYZ", max_size=70) | anything,
        "phrase": st.sampled_from(["nice", "moment"]) | anything,
    },
)
Frame = tuple[int, bytes, bool]
likely = st.fixed_dictionaries(
    {
        "type": st.sampled_from(TYPES),
        "id": st.text(min_size=1, max_size=64),
        "seq": st.integers(0, 40),
        "move": st.sampled_from(WORDS),
    }
)
spoken = (likely | message | anything).map(lambda value: (1, json.dumps(value).encode(), True))
babble: st.SearchStrategy[Frame] = st.tuples(
    st.integers(0, 15), st.binary(max_size=200) | st.just(b"x" * 17_000), st.booleans()
)
handful = st.lists(spoken, min_size=1, max_size=6) | st.lists(
    spoken | babble, min_size=1, max_size=6
)


class Babbler:
    """Sends frames as a seated player, and looks at what comes back."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []
        self._pair: list[Person] = []
        self._code = ""
        self._used = 0
        self.sent = 0

    async def table(self) -> str:
        """A table in play; a new one after a while, since a match may have been walked out of."""
        if self._used % 20 == 0:
            api = Api(self.address)
            try:
                self._pair = self._pair or await api.guests(2, "Babbler")
                self._code, _ = await api.table("fives", self._pair)
            finally:
                api.close()
        self._used += 1
        return self._code

    async def say(self, frames: list[Frame]) -> None:
        """Send frames over a socket of their own; then it still answers, or was closed cleanly."""
        code = await self.table()
        ws = await Socket.open(
            self.address, f"/ws/table/{code}/", token=self._pair[self._used % 2].token
        )
        try:
            for opcode, payload, final in frames:
                ws.send_frame(opcode, payload, final=final)
                self.sent += 1
            ws.send({"type": "none", "id": LAST})
            while True:
                answer = await ws.get()
                kind = answer["type"]
                self.answers[answer["code"] if kind == "error" else kind] += 1
                if kind == "error":
                    assert answer["code"] in CODES, answer
                    assert answer["detail"], answer
                    assert answer["id"] is None or isinstance(answer["id"], str)
                    if answer["id"] == LAST:
                        break
        except Closed as closed:
            self.answers[f"closed {closed.code}"] += 1
            if closed.code not in CLOSES and not self._may_be_cut_off(frames):
                raise
        finally:
            ws.abort()

    @staticmethod
    def _may_be_cut_off(frames: list[Frame]) -> bool:
        """Whether a frame asks for the end, or breaks the protocol.

        The server then hangs up with frames unread, and TCP's reset may overtake its reason.
        """
        return any(opcode != 1 or not final for opcode, _, final in frames)


def in_a_thread(work: Callable[[asyncio.Runner], None]) -> Any:
    """Run a test that makes things up beside the event loop, with a loop of its own."""

    def run() -> None:
        with asyncio.Runner() as runner:
            work(runner)

    return asyncio.to_thread(run)


def made_up(examples: int) -> Any:
    """How hypothesis looks for examples here."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("examples", forms(150, 4_000))
async def test_frames(embedded: Farm, examples: int, tell: Tell) -> None:
    babbler = Babbler(embedded.addresses[0])
    site = embedded.sites[0]

    def work(runner: asyncio.Runner) -> None:
        @made_up(examples)
        @given(handful)
        def frames_are_answered(frames: list[Frame]) -> None:
            runner.run(babbler.say(frames))

        frames_are_answered()

    before, errors = memory(site), len(embedded.errors())
    async with Pulse(embedded, 2).beating() as pulse:
        await in_a_thread(work)
        waits = pulse.waits()
    grown = memory(site) - before
    tell(
        f"{babbler.sent} frames in {examples} handfuls: {dict(babbler.answers.most_common())}; "
        f"p95 of another's move {waits[len(waits) * 95 // 100] * 1000:.0f} ms; {grown:+.1f} MB"
    )
    assert embedded.errors()[errors:] == []
    assert waits[len(waits) * 95 // 100] < SERVED
    assert grown < MEMORY


# Bodies


def calls_of(openapi: dict[str, Any]) -> list[tuple[str, str]]:
    """Every call that the API has: method and path."""
    return [
        (method.upper(), path) for path, methods in openapi["paths"].items() for method in methods
    ]


fields = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=60) | anything,
        "rules": st.sampled_from(["partners", "draw", "classic", "fives"]) | anything,
        "kind": st.sampled_from(["online", "nearby"]) | anything,
        "players": st.integers(-1, 5) | anything,
        "sides": st.sampled_from(["singles", "partners"]) | anything,
        "target": st.integers(-10, 600) | anything,
        "turn_seconds": st.integers(-10, 700) | anything,
        "ranked": st.booleans() | anything,
        "private": st.booleans() | anything,
        "double_six_opens": st.booleans() | anything,
        "replay": st.sampled_from(["all", "players"]) | anything,
        "seat": st.integers(-2, 5) | anything,
        "seed": st.text("0123456789abcdefXYZ", max_size=70) | anything,
        "level": st.sampled_from(["easy", "steady", None]) | anything,
    },
)
body = (
    (fields | anything).map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=300)
    | st.just(b"[" * 20_000)
    | st.just(b'{"name": ' + b"9" * 5_000 + b"}")
)
kinds = st.sampled_from(
    ["application/json", "text/plain", "multipart/form-data; boundary=x", "", "application/json; x"]
)
segment = st.text("abcXYZ019-_.~ äß\u202e/%", max_size=12)


@pytest.mark.parametrize("examples", forms(150, 10_000))
async def test_bodies(embedded: Farm, examples: int, tell: Tell) -> None:
    site = embedded.sites[0]
    one, two = await people(embedded, 2)
    code, match = await embedded.ask(lambda api: api.table("draw", [one, two]))
    known = {"code": code, "match_id": match, "name": one.name}
    answers: Counter[int] = Counter()
    connection = http.client.HTTPConnection(*embedded.addresses[0], timeout=30)
    connection.request("GET", "/api/v1/openapi.json")
    calls = calls_of(json.loads(connection.getresponse().read()))
    tokens = st.sampled_from([one.token, two.token, "", "nonsense", None])

    def path_of(path: str, made: str, real: bool) -> str:
        parts = []
        for part in path.split("/"):
            if part.startswith("{"):
                value = known.get(part.strip("{}"), code) if real else made
                part = urllib.parse.quote(value, safe="")
            parts.append(part)
        return "/".join(parts)

    def work(_runner: asyncio.Runner) -> None:
        @made_up(examples)
        @given(st.sampled_from(calls), segment, st.booleans(), body, kinds, tokens)
        def bodies_are_answered(
            call: tuple[str, str], made: str, real: bool, data: bytes, kind: str, token: str | None
        ) -> None:
            headers = {"Content-Type": kind} if kind else {}
            if token is not None:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(call[0], path_of(call[1], made, real), body=data, headers=headers)
            answer = connection.getresponse()
            text = answer.read()
            answers[answer.status] += 1
            assert answer.status < 500, text
            if answer.status >= 400:
                assert answer.status != 400, (call, kind, text)
                told = json.loads(text)
                assert isinstance(told["code"], str) and told["detail"], told

        bodies_are_answered()

    before, errors = memory(site), len(embedded.errors())
    async with Pulse(embedded, 2).beating() as pulse:
        await in_a_thread(work)
        waits = pulse.waits()
    connection.close()
    grown = memory(site) - before
    tell(
        f"{examples} calls: {dict(sorted(answers.items()))}; p95 of another's move "
        f"{waits[len(waits) * 95 // 100] * 1000:.0f} ms; {grown:+.1f} MB"
    )
    assert embedded.errors()[errors:] == []
    assert waits[len(waits) * 95 // 100] < SERVED
    assert grown < MEMORY
