"""The socket at a table: who may open it, what it shows, what it answers, how it is closed."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from dominoes.table import presence, protocol, seating, store
from dominoes.table.hub import hub
from ranking.models import Player, Token
from ranking.players import revoke_tokens
from tests.shapes import check_picture
from tests.table.sockets import Seated, Socket, bearer, cookie, new_room, quiet_hub, seated, started
from tests.table.tables import Room, guest, picture_of

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["quiet_hub"]  # a fixture that each test here gets

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
        told = picture_of(live, you)
        for one in (pushed, told):
            del one["now"]
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


async def test_who_reads_slowly_leaves_a_seat_as_soon_as_anybody() -> None:
    """Else the seat's next holder would look here while they are gone."""
    room = await new_room("draw", players=3, people=[await sync_to_async(guest)()])
    await store.run(seating.set_bot, room.code, room.people[0].pk, 2, None)
    visitor, then = await sync_to_async(guest)(), await sync_to_async(guest)()
    await store.run(seating.sit, room.code, visitor.pk, 2)
    waits = 0
    socket = Socket(room.code, await sync_to_async(bearer)(visitor))
    socket.scope["backlog"] = lambda: waits
    watching = Socket(room.code)
    await watching.open()
    assert (await socket.open())["you"] == 2
    await watching.newest()
    assert watching.picture["seats"][2]["state"] == "here"
    waits = 100_000
    await store.run(seating.stand, room.code, visitor.pk)
    await store.run(seating.sit, room.code, then.pk, 2)
    assert (await watching.newest())["seats"][2]["state"] == "dropped"
    assert presence.held_here(room_id(room)) == frozenset()
    assert await socket.receive_nothing(timeout=0.1) or (await socket.get())["you"] == 2
    for one in (socket, watching):
        await one.disconnect()


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
