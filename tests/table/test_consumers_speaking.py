"""What a socket at a table is told, and what it answers."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from dominoes.table import consumers, play, protocol, store
from dominoes.table.hub import hub
from dominoes.table.models import Said
from dominoes.table.phrases import Pace
from ranking.models import Player
from tests.table.sockets import Socket, bearer, new_room, quiet_hub, seated, started

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["quiet_hub"]  # a fixture that each test here gets


async def test_an_id_that_was_accepted_is_answered_again() -> None:
    table = await seated(await started())
    pictures = await table.pictures()
    seat = next(p["you"] for p in pictures if p["legal"])
    message = {
        "type": "move",
        "id": "same",
        "seq": pictures[seat]["seq"],
        "move": pictures[seat]["legal"][0],
    }
    first = await table.sockets[seat].ask(**message)
    assert await table.sockets[seat].ask(**message) == first
    store.forget()
    twin = Socket(table.room.code, await sync_to_async(bearer)(table.room.people[seat]))
    await twin.open()
    assert await twin.ask(**message) == first
    assert len((await table.pictures())[0]["moves"]) == 1


async def test_refusals_have_their_codes() -> None:
    table = await seated(await started())
    pictures = await table.pictures()
    seat = next(p["you"] for p in pictures if p["legal"])
    mine, other = table.sockets[seat], table.sockets[1 - seat]
    seq = pictures[seat]["seq"]
    move = {"type": "move", "id": "i", "seq": seq}

    async def code(socket: Socket, **message: Any) -> str:
        answer = await socket.ask(**message)
        assert answer["type"] == "error", answer
        assert answer["id"] == message.get("id")
        assert answer["detail"].endswith((".", "!"))
        return str(answer["code"])

    assert await code(other, **move, move="6-4") == "not_your_turn"
    assert await code(mine, **move, move="6-4 up") == "illegal"
    assert await code(mine, **move, move="dance") == "illegal"
    assert await code(mine, **{**move, "seq": seq + 9}, move="6-4") == "stale"
    assert await code(mine, type="offer_draw") == "not_now"
    assert await code(mine, type="claim", id="c") == "not_now"
    assert await code(mine, type="what") == "bad_message"
    spectator = Socket(table.room.code)
    await spectator.open()
    assert await code(spectator, **move, move="6-4") == "not_seated"
    assert await code(spectator, type="say", phrase="nice") == "not_seated"
    assert all(p["moves"] == [] for p in await table.pictures())


async def test_ping_tells_the_seq() -> None:
    room = await started()
    socket = Socket(room.code)
    picture = await socket.open()
    assert await socket.ask(type="ping") == {"type": "pong", "seq": picture["seq"]}


@pytest.mark.parametrize("data", [b"\x00\x01", b"{}"])
async def test_binary_messages_are_refused(data: bytes) -> None:
    room = await new_room()
    socket = Socket(room.code)
    await socket.open()
    await socket.send_to(bytes_data=data)
    answer = await socket.get_type("error")
    assert (answer["code"], answer["id"]) == ("bad_message", None)


async def test_the_twenty_first_message_of_a_second_is_one_too_many() -> None:
    room = await new_room()
    socket = Socket(room.code)
    await socket.open()
    answers = [await socket.ask(type="ping", id=str(n)) for n in range(21)]
    assert [a["type"] for a in answers[:20]] == ["pong"] * 20
    assert answers[20]["code"] == "rate"
    assert answers[20]["id"] == "20"


async def test_a_flood_is_hung_up_on() -> None:
    room = await new_room()
    socket = Socket(room.code)
    await socket.open()
    for _ in range(consumers.RATE + consumers.FLOOD + 10):
        await socket.send_to(text_data='{"type": "ping"}')
    assert await socket.code() == protocol.FLOOD


async def test_a_phrase_reaches_everybody() -> None:
    table = await seated(await new_room())
    spectator = Socket(table.room.code)
    await spectator.open()
    assert (await table.sockets[1].ask(type="say", phrase="nice"))["type"] == "ok"
    for socket in (table.sockets[0], spectator):
        said = await socket.get_type("said")
        assert said == {"type": "said", "seat": 1, "phrase": "nice"}


async def test_ten_phrases_in_ten_seconds_are_enough_for_a_person() -> None:
    table = await seated(await started())
    twin = Socket(table.room.code, await sync_to_async(bearer)(table.room.people[0]))
    await twin.open()
    mine, other = table.sockets
    for n in range(10):  # over both of this person's sockets
        assert (await (mine, twin)[n % 2].ask(type="say", phrase="nice"))["type"] == "ok"
    for socket in (mine, twin):
        answer = await socket.ask(type="say", phrase="nice", id="s")
        assert (answer["type"], answer["code"], answer["id"]) == ("error", "rate", "s")
        assert "You can say something again in " in answer["detail"]
    assert (await mine.ask(type="ping"))["type"] == "pong"
    assert (await mine.ask(type="ready"))["type"] == "ok"
    assert (await other.ask(type="say", phrase="nice"))["type"] == "ok"
    await table.pictures()
    assert sum(m["type"] == "said" for m in other.others) == 11
    assert await Said.objects.acount() == 11


def test_who_waits_may_say_something_again() -> None:
    pace = Pace()
    assert [pace.seconds_to_wait("A", 1, 100.0 + n / 2) for n in range(10)] == [0.0] * 10
    assert pace.seconds_to_wait("A", 1, 105.0) == 5.0
    assert pace.seconds_to_wait("A", 2, 105.0) == pace.seconds_to_wait("B", 1, 105.0) == 0.0
    assert pace.seconds_to_wait("A", 1, 110.0) == 0.0
    assert pace.seconds_to_wait("A", 1, 110.0) == 0.5
    assert pace.seconds_to_wait("C", 1, 200.0) == 0.0
    assert len(pace._said) == 1  # what is long ago is forgotten


async def test_partners_say_nothing_while_a_hand_is_played() -> None:
    table = await seated(await started("partners"))
    answer = await table.sockets[0].ask(type="say", phrase="nice")
    assert answer["code"] == "not_now"
    singles = await seated(await started("draw"))
    assert (await singles.sockets[0].ask(type="say", phrase="nice"))["type"] == "ok"


async def test_a_muted_person_is_not_heard() -> None:
    room = await new_room()
    later = timezone.now() + timezone.timedelta(hours=1)
    await Player.objects.filter(pk=room.people[0].pk).aupdate(muted_until=later)
    table = await seated(room)
    assert (await table.sockets[0].ask(type="say", phrase="nice"))["type"] == "ok"
    assert all(p["type"] == "table" for p in await table.pictures())
    assert await table.sockets[1].receive_nothing(timeout=0.2)


async def test_muting_reaches_those_who_are_here_already() -> None:
    room = await new_room()
    table = await seated(room)
    later = timezone.now() + timezone.timedelta(hours=1)
    muted = Player.objects.filter(pk=room.people[0].pk)
    for until, heard in ((later, False), (None, True)):
        await muted.aupdate(muted_until=until)
        await hub.recheck(hub.viewers())
        assert (await table.sockets[0].ask(type="say", phrase="nice"))["type"] == "ok"
        await table.pictures()
        assert any(m["type"] == "said" for m in table.sockets[1].others) is heard


async def test_refusals_are_in_the_readers_language() -> None:
    room = await started()
    headers = await sync_to_async(bearer)(room.people[0])
    socket = Socket(room.code, [*headers, (b"accept-language", b"es")])
    await socket.open()
    assert hub.viewers()[0].visitor.language == "es"


async def test_what_cannot_be_stored_is_no_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await seated(await started())

    def broken(*_args: Any) -> None:
        raise OSError("no disk")

    monkeypatch.setattr(play, "ready", broken)
    answer = await table.sockets[0].ask(type="ready", id="r")
    assert (answer["code"], answer["id"]) == ("not_now", "r")


async def test_a_server_that_ends_takes_no_more_messages() -> None:
    table = await seated(await started())
    hub.closing = True
    await table.sockets[0].send_to(text_data='{"type": "ping"}')
    assert await table.sockets[0].receive_nothing(timeout=0.2)
