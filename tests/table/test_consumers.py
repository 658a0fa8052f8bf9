"""The socket at a table: who may open it, what it shows, what it answers, how it is closed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.utils import timezone

from dominoes.asgi import application
from dominoes.table import consumers, play, presence, protocol, seating, store
from dominoes.table.hub import hub
from dominoes.table.pictures import json_picture, state_of
from ranking.models import Player, Token
from ranking.players import make_token, revoke_tokens
from tests.shapes import check_picture
from tests.table.tables import Room, guest

pytestmark = pytest.mark.django_db(transaction=True)

Headers = list[tuple[bytes, bytes]]


class Socket(WebsocketCommunicator):
    """A program's or (with HTML) a page's socket, inside this process."""

    def __init__(
        self,
        code: str,
        headers: Headers | None = None,
        subprotocols: list[str] | None = None,
        host: bytes = b"localhost",
    ) -> None:
        super().__init__(
            application,
            f"/ws/table/{code}/",
            headers=[(b"host", host), *(headers or [])],
            subprotocols=subprotocols or [],
        )
        self.picture: dict[str, Any] = {}  # the newest that was read
        self.others: list[dict[str, Any]] = []  # what was read beside pictures

    async def open(self) -> dict[str, Any]:
        """Shake hands; the first message."""
        connected, _ = await self.connect(timeout=5)
        assert connected
        return await self.get()

    async def get(self) -> dict[str, Any]:
        """The next message."""
        message = dict(json.loads(await self.receive_from(timeout=5)))
        if message["type"] == "table":
            self.picture = message
        else:
            self.others.append(message)
        return message

    async def newest(self) -> dict[str, Any]:
        """The newest picture, once everything that goes on by itself is done."""
        for _ in range(500):
            if not (hub._tasks or hub._news):
                break
            await asyncio.sleep(0.002)
        assert not hub._tasks
        while not self.output_queue.empty():
            await self.get()
        return self.picture

    async def get_type(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message = await self.get()
            if message["type"] in kinds:
                return message

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message; its answer."""
        await self.send_to(text_data=json.dumps(message))
        return await self.get_type("ok", "error", "pong")

    async def code(self) -> int:
        """Read until the socket is closed; how."""
        while True:
            output = await self.receive_output(timeout=5)
            if output["type"] == "websocket.close":
                return int(output.get("code", 1000))


def bearer(player: Player) -> Headers:
    return [(b"authorization", f"Bearer {make_token(player)}".encode())]


def cookie(player: Player) -> tuple[Client, Headers]:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    jar: SimpleCookie = client.cookies
    value = jar["sessionid"].value
    origin = (b"origin", b"http://localhost")
    return client, [(b"cookie", f"sessionid={value}".encode()), origin]


@sync_to_async
def started(rules: str = "draw", **choices: Any) -> Room:
    return Room(rules, **choices).start()


@sync_to_async
def new_room(rules: str = "draw", **choices: Any) -> Room:
    return Room(rules, **choices)


@pytest.fixture(autouse=True)
async def quiet_hub() -> AsyncIterator[None]:
    """Each test has its own event loop; what the hub began in it ends with it."""
    yield
    await hub.stop()
    hub.closing = False


class Seated:
    """A room with a socket for each person."""

    def __init__(self, room: Room, sockets: list[Socket]) -> None:
        self.room, self.sockets = room, sockets

    async def pictures(self) -> list[dict[str, Any]]:
        """The newest picture of each socket."""
        return [await socket.newest() for socket in self.sockets]


async def seated(room: Room) -> Seated:
    sockets = [Socket(room.code, await sync_to_async(bearer)(p)) for p in room.people]
    for socket in sockets:
        await socket.open()
    made = Seated(room, sockets)
    await made.pictures()
    return made


# Coming


async def test_a_program_gets_the_whole_picture_at_once() -> None:
    room = await started("fives", players=3)
    socket = Socket(room.code, await sync_to_async(bearer)(room.people[1]))
    picture = await socket.open()
    check_picture(picture)
    assert picture["you"] == 1
    assert len(picture["rack"]) == 7
    assert picture["seats"][1]["state"] == "here"
    assert picture["seats"][0]["state"] == "dropped"
    await socket.disconnect()


async def test_a_picture_is_what_the_pictures_module_says() -> None:
    room = await started("partners")
    people: list[Player | None] = [*room.people, None]
    for seat, person in enumerate(people):
        headers = await sync_to_async(bearer)(person) if person else []
        socket = Socket(room.code, headers)
        pushed = await socket.open()
        live = store.peek(room.code)
        assert live is not None
        you = seat if person else None
        whole = json_picture(state_of(live, 0.0), live.view(None), live.view(you), you)
        told = json.loads(json.dumps(whole))
        for picture in (pushed, told):
            del picture["now"]
        assert pushed == told
        await socket.disconnect()


async def test_codes_are_read_in_either_case() -> None:
    room = await new_room()
    socket = Socket(room.code.lower())
    assert (await socket.open())["room"] == room.code
    await socket.disconnect()


@pytest.mark.parametrize("named", [[], ["chat"]])
async def test_json_without_a_known_subprotocol(named: list[str]) -> None:
    room = await new_room()
    socket = Socket(room.code, subprotocols=named)
    connected, chosen = await socket.connect()
    assert (connected, chosen) == (True, None)
    assert (await socket.get())["room"] == room.code
    await socket.disconnect()


async def test_a_spectator_sees_no_rack() -> None:
    room = await started()
    stranger = await sync_to_async(guest)()
    for headers in ([], await sync_to_async(bearer)(stranger)):
        socket = Socket(room.code, headers)
        picture = await socket.open()
        check_picture(picture)
        assert picture["you"] is None
        assert picture["rack"] is None
        assert picture["legal"] == []
        await socket.disconnect()


@pytest.mark.parametrize("code", ["AAAAAA", "x", "%00", "ÄÖÜ", "A" * 32])
async def test_no_such_room(code: str) -> None:
    socket = Socket(code)
    assert (await socket.connect())[0]
    assert await socket.code() == protocol.NO_SUCH_ROOM


async def test_a_closed_room_is_no_room() -> None:
    room = await new_room()
    watching = Socket(room.code)
    await watching.open()
    await sync_to_async(room.wait)(3601)
    assert await watching.code() == protocol.NO_SUCH_ROOM
    late = Socket(room.code)
    assert (await late.connect())[0]
    assert await late.code() == protocol.NO_SUCH_ROOM


@pytest.mark.parametrize(
    "value", [b"Bearer nonsense", b"Bearer", b"Basic QTpC", b"", b"Bearer \xff"]
)
async def test_a_bad_token_is_told(value: bytes) -> None:
    room = await new_room()
    socket = Socket(room.code, [(b"authorization", value)])
    assert (await socket.connect())[0]
    assert await socket.code() == protocol.SIGNED_OUT


async def test_a_session_opens_a_page() -> None:
    room = await started()
    _, headers = await sync_to_async(cookie)(room.people[0])
    socket = Socket(room.code, headers, [protocol.HTML])
    connected, chosen = await socket.connect()
    assert (connected, chosen) == (True, protocol.HTML)
    message = await socket.get()
    assert message["type"] == "table"
    assert 'data-you="0"' in message["html"]["me"]
    await socket.disconnect()


async def test_another_sites_page_is_refused() -> None:
    room = await new_room()
    _, headers = await sync_to_async(cookie)(room.people[0])
    foreign = [headers[0], (b"origin", b"http://example.org")]
    without = [headers[0]]
    for bad in (foreign, without, [(b"origin", b"http://example.org")]):
        socket = Socket(room.code, bad)
        assert not (await socket.connect())[0]


async def test_someone_removed_stays_out() -> None:
    room = await new_room()
    table = await seated(room)
    await store.run(seating.remove, room.code, room.people[0].pk, 1)
    assert await table.sockets[1].code() == protocol.REMOVED
    again = Socket(room.code, await sync_to_async(bearer)(room.people[1]))
    assert (await again.connect())[0]
    assert await again.code() == protocol.REMOVED
    assert (await table.pictures())[0]["seats"][1] is None


# Seeing


async def test_a_move_reaches_every_seat() -> None:
    table = await seated(await started("partners"))
    pictures = await table.pictures()
    seat = next(p["you"] for p in pictures if p["legal"])
    word, seq = pictures[seat]["legal"][0], pictures[seat]["seq"]
    answer = await table.sockets[seat].ask(type="move", id="m1", seq=seq, move=word)
    assert answer == {"type": "ok", "id": "m1", "seq": seq + 1}
    for picture in await table.pictures():
        check_picture(picture)
        assert picture["seq"] == seq + 1
        assert [m["move"] for m in picture["moves"]] == [word]


async def test_two_sockets_in_one_seat_both_live() -> None:
    room = await started()
    table = await seated(room)
    twin = Socket(room.code, await sync_to_async(bearer)(room.people[0]))
    assert (await twin.open())["rack"] == (await table.pictures())[0]["rack"]
    await table.sockets[0].disconnect()
    other = (await table.pictures())[1]
    assert other["seats"][0]["state"] == "here"
    await twin.disconnect()
    assert (await table.pictures())[1]["seats"][0]["state"] == "dropped"


async def test_sitting_down_and_standing_up_are_seen_on_an_open_socket() -> None:
    room = await new_room("draw", players=3, people=[await sync_to_async(guest)()])
    await store.run(seating.set_bot, room.code, room.people[0].pk, 2, None)
    visitor = await sync_to_async(guest)()
    socket = Socket(room.code, await sync_to_async(bearer)(visitor))
    assert (await socket.open())["you"] is None
    table = Seated(room, [socket])
    await store.run(seating.sit, room.code, visitor.pk, 2)
    picture = (await table.pictures())[0]
    assert picture["you"] == 2
    assert picture["seats"][2]["state"] == "here"
    assert presence.held_here(room_id(room)) == {2}
    await store.run(seating.stand, room.code, visitor.pk)
    assert (await table.pictures())[0]["you"] is None
    assert presence.held_here(room_id(room)) == frozenset()


def room_id(room: Room) -> int:
    live = store.peek(room.code)
    assert live is not None
    return live.table_id


async def test_a_page_gets_only_what_changed() -> None:
    room = await started()
    _, headers = await sync_to_async(cookie)(room.people[0])
    socket = Socket(room.code, headers, [protocol.HTML])
    first = await socket.open()
    assert {"score", "seats", "line", "rail", "controls", "me"} <= set(first["html"])
    while not await socket.receive_nothing(timeout=0.2):
        await socket.get()
    await sync_to_async(room.move)()
    second = await socket.get_type("table")
    assert {"line", "me"} <= set(second["html"]) < set(first["html"])
    assert "score" not in second["html"]
    assert second["seq"] > first["seq"]


# Speaking


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


# Going


async def test_signing_out_ends_the_sessions_sockets() -> None:
    room = await started()
    client, headers = await sync_to_async(cookie)(room.people[0])
    page = Socket(room.code, headers, [protocol.HTML])
    await page.open()
    program = Socket(room.code, await sync_to_async(bearer)(room.people[0]))
    await program.open()
    await sync_to_async(client.logout)()
    assert await page.code() == protocol.SIGNED_OUT
    assert (await program.ask(type="ping"))["type"] == "pong"


async def test_sign_ins_are_checked_again_and_again() -> None:
    room = await started()
    mine = Socket(room.code, await sync_to_async(bearer)(room.people[0]))
    other = Socket(room.code, await sync_to_async(bearer)(room.people[1]))
    spectator = Socket(room.code)
    for socket in (mine, other, spectator):
        await socket.open()
    await hub.recheck(hub.viewers())
    await sync_to_async(revoke_tokens)(room.people[0])
    await hub.recheck(hub.viewers())
    assert await mine.code() == protocol.SIGNED_OUT
    assert (await other.ask(type="ping"))["type"] == "pong"
    assert (await spectator.ask(type="ping"))["type"] == "pong"
    assert await Token.objects.acount() == 2


async def test_a_new_password_ends_the_sessions_of_the_old_one() -> None:
    room = await started()
    _, headers = await sync_to_async(cookie)(room.people[0])
    page = Socket(room.code, headers, [protocol.HTML])
    await page.open()
    await hub.recheck(hub.viewers())
    assert await page.receive_nothing(timeout=0.1) or (await page.get())["type"] == "table"

    def change() -> None:
        player = Player.objects.get(pk=room.people[0].pk)
        player.set_password("quite another one")
        player.save()

    await sync_to_async(change)()
    await hub.recheck(hub.viewers())
    assert await page.code() == protocol.SIGNED_OUT


async def test_a_socket_that_ends_leaves_nothing_behind() -> None:
    table = await seated(await started())
    for socket in table.sockets:
        await socket.disconnect()
    assert hub.rooms == {}
    assert presence.held_here(room_id(table.room)) == frozenset()
