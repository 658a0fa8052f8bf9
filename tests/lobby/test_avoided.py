"""Whoever is avoided stays out, at every door; whoever avoids is told; nobody loses a seat."""

import asyncio
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import translation

from dominoes.table import beginning, protocol, seating, store
from dominoes.table.hub import hub
from dominoes.table.refusals import Refused
from lobby import companions, pairing, rooms
from lobby.models import Block, Invite, Ticket
from ranking.models import Player
from tests.lobby.conftest import MakePlayer, Program
from tests.lobby.looking import said, text
from tests.lobby.waiting import DUEL, PAIRS, ask_all, states
from tests.table.sockets import Socket, bearer

# On PostgreSQL as well: the lists are plain SQL.
pytestmark = pytest.mark.servers

NOT_FOR_YOU = "You can't sit at this table. Choose another one."


def block(owner: Player, other: Player) -> None:
    Block.objects.create(owner=owner, other=other)


@pytest.fixture
def table(ana: Program, guest: MakePlayer) -> tuple[str, Player]:
    """Ana's table for four, at which Carla sits as well."""
    code = ana.room(players=4)["code"]
    carla = guest("Carla")
    store.call(seating.sit, code, carla.pk, 1)
    return code, carla


@pytest.mark.django_db
class TestSeats:
    @pytest.mark.parametrize("by", ["host", "another"])
    def test_nobody_sits_down_where_somebody_avoids_them(
        self, by: str, ana: Program, ben: Program, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        block(ana.player if by == "host" else carla, ben.player)
        with pytest.raises(Refused) as refused:
            store.call(seating.sit, code, ben.player.pk, 2)
        assert (refused.value.code, refused.value.detail) == ("forbidden", NOT_FOR_YOU)
        status, answer = ben.post(f"rooms/{code}/sit", {"seat": 2})
        assert (status, answer["code"], answer["detail"]) == (403, "forbidden", NOT_FOR_YOU)
        assert rooms.find(code).sitter(ben.player.pk) is None

    def test_whoever_avoids_is_told_with_whom_they_would_sit(
        self, ben: Program, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        block(ben.player, carla)
        status, answer = ben.post(f"rooms/{code}/sit", {"seat": 2})
        assert status == 403
        assert answer["detail"].startswith("Carla sits here, and you don't want to be paired")
        with translation.override("es"), pytest.raises(Refused, match="pediste"):
            store.call(seating.sit, code, ben.player.pk, 2)
        Block.objects.all().delete()
        assert ben.post(f"rooms/{code}/sit", {"seat": 2})[0] == 200

    def test_the_pages_say_the_same(
        self, ana: Program, ben: Program, browser: Any, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        client: Client = browser(ben.player)
        block(carla, ben.player)
        assert client.get(f"/tables/{code}/").status_code == 200  # to watch
        answer = client.post(f"/tables/{code}/act/", {"act": "sit 2"})
        assert said(answer) == [NOT_FOR_YOU]
        answer = client.post(f"/join/{code}/", {"seat": "2"})
        assert NOT_FOR_YOU in unescape(text(answer))
        block(ana.player, ben.player)
        for path in (f"/tables/{code}/", f"/join/{code}/"):
            answer = client.get(path)
            assert answer.status_code == 403
            assert NOT_FOR_YOU in unescape(text(answer)), path
        assert ben.get(f"rooms/{code}")[1]["detail"] == NOT_FOR_YOU
        assert rooms.find(code).sitter(ben.player.pk) is None

    def test_whoever_sits_already_stays_and_may_change_seats(
        self, ana: Program, ben: Program, browser: Any, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        store.call(seating.sit, code, ben.player.pk, 2)
        block(ana.player, ben.player)
        block(ben.player, carla)
        assert browser(ben.player).get(f"/tables/{code}/").status_code == 200
        assert ben.post(f"rooms/{code}/sit", {"seat": 3})[0] == 200
        store.call(seating.remove, code, ana.player.pk, 3)
        assert ben.post(f"rooms/{code}/sit", {"seat": 3})[0] == 403

    def test_a_match_goes_on(self, ana: Program, ben: Program) -> None:
        code = ana.room()["code"]
        assert ben.post(f"rooms/{code}/sit", {"seat": 1})[0] == 200
        assert ana.post(f"rooms/{code}/start")[0] == 200
        block(ana.player, ben.player)
        assert ben.get(f"rooms/{code}")[0] == 200
        assert rooms.find(code).sitter(ben.player.pk) is not None

    def test_strangers_to_it_all_come_and_sit(
        self, ana: Program, ben: Program, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        block(ana.player, carla)  # who sits there already
        assert ben.post(f"rooms/{code}/sit", {"seat": 2})[0] == 200


@pytest.mark.django_db
class TestLists:
    def test_a_hosts_room_is_not_listed_for_whom_the_host_avoids(
        self, ana: Program, ben: Program, guest: MakePlayer, table: tuple[str, Player]
    ) -> None:
        code, carla = table

        def listed(who: Program) -> list[str]:
            return [room["code"] for room in who.get("rooms")[1]["items"]]

        block(carla, ben.player)
        assert listed(ben) == [code]  # the host doesn't mind; there is much to see
        block(ana.player, ben.player)
        assert listed(ben) == []
        assert listed(ana) == listed(Program(guest("Dora"))) == [code]
        store.call(seating.stand, code, ana.player.pk)  # the next one there is the host
        Block.objects.filter(owner=carla).delete()
        assert listed(ben) == [code]

    def test_pages_list_no_tables_where_one_could_not_sit(
        self, ana: Program, ben: Program, browser: Any, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        client = browser(ben.player)
        assert f"/join/{code}/" in client.get("/").content.decode()
        block(carla, ben.player)
        assert f"/join/{code}/" not in client.get("/").content.decode()

    def test_nor_a_hosts_match_to_watch(self, ana: Program, ben: Program, browser: Any) -> None:
        code = ana.room()["code"]
        ana.post(f"rooms/{code}/bot", {"seat": 1, "level": "easy"})
        ana.post(f"rooms/{code}/start")
        client = browser(ben.player)
        assert f"/tables/{code}/" in client.get("/").content.decode()
        block(ana.player, ben.player)
        assert f"/tables/{code}/" not in client.get("/").content.decode()

    def test_no_invitation_leads_to_a_closed_door(
        self, ana: Program, ben: Program, table: tuple[str, Player]
    ) -> None:
        code, carla = table
        Invite.objects.create(sender=carla, receiver=ben.player, kind=Invite.ROOM, code=code)
        assert [one.code for one in companions.calls_for(ben.player)] == [code]
        block(ana.player, ben.player)
        assert companions.calls_for(ben.player) == []


@pytest.mark.django_db
class TestPairing:
    def test_a_table_on_paper_is_not_made_of_people_who_avoid_each_other_by_now(
        self, ana: Program, ben: Program
    ) -> None:
        ask_all(DUEL, ana.player, ben.player)
        pairing.confirm(ana.player)
        block(ana.player, ben.player)
        with pytest.raises(Refused):
            pairing.confirm(ben.player)
        assert states(ana.player, ben.player) == ["waiting", "waiting"]

    def test_a_pair_that_parts_is_none(
        self, ana: Program, ben: Program, browser: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pairing.ask(ana.player, PAIRS, pair=True)
        pairing.join_pair(ben.player, Ticket.objects.get().code)
        known = companions.Companion(ben.player.pk, "Ben")
        monkeypatch.setattr(companions, "recent", lambda *_args, **_more: [known])
        browser(ana.player).post("/companions/", {"act": "avoid", "player": "Ben"})
        assert pairing.look(ana.player).state == "out"
        assert pairing.look(ben.player).state != "out"


@pytest.mark.django_db(transaction=True)
class TestSockets:
    @pytest.fixture(autouse=True)
    def _quiet(self) -> Any:
        store.forget()
        yield
        store.forget()

    def enter(self, code: str, player: Player) -> int | None:
        """How the socket of that person is closed at once; None when it shows the table."""

        async def ask() -> int | None:
            socket = Socket(code, await sync_to_async(bearer)(player))
            connected, _ = await socket.connect(timeout=5)
            assert connected
            output = await socket.receive_output(timeout=5)
            closed = output["type"] == "websocket.close"
            if not closed:
                await socket.disconnect()
            await hub.stop()
            return int(output["code"]) if closed else None

        return asyncio.run(ask())

    def test_whom_the_host_avoids_is_shown_out(
        self, guest: MakePlayer, make_room: Callable[..., str]
    ) -> None:
        ana, ben, carla = guest("Ana"), guest("Ben"), guest("Carla")
        code = make_room(ana)
        store.call(seating.sit, code, carla.pk, 1)
        block(carla, ben)
        assert self.enter(code, ben) is None  # to watch
        block(ana, ben)
        block(ana, carla)
        assert self.enter(code, ben) == protocol.REMOVED == 4403
        assert self.enter(code, carla) is None
        assert self.enter(code, ana) is None
        store.call(beginning.start, code, ana.pk)
        assert self.enter(code, carla) is None
