"""The database of games: what is in it, and that each line is a whole record."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dominoes.rules import commands
from dominoes.table.models import Match
from dominoes.table.voiding import void
from tests import services
from tests.table.finished import finished
from tests.table.tables import Room

pytestmark = pytest.mark.django_db


def export(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("export_matches", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def ids(records: list[dict[str, Any]]) -> list[str]:
    return [record["fair"]["match"] for record in records]


def test_every_line_replays_and_verifies() -> None:
    matches = [finished("draw"), finished("fives", players=3), finished("partners")]
    records = export()
    assert ids(records) == [match.pk for match in matches]
    for record in records:
        assert record["format"] == "dominoes-match/1"
        assert json.loads(list(commands.replay_lines(record))[-1])["event"] == "match"
        assert list(commands.verify_lines(record))[-1].startswith("All deals")


def test_only_finished_public_matches_that_count() -> None:
    seen = finished("draw")
    finished("draw", private=True)
    finished("draw", replay="players")
    finished("draw", kind="nearby", private=True)
    void(finished("draw"), None, "a test of voiding")
    Room("draw").start()
    abandoned = finished("draw")
    Match.objects.filter(pk=abandoned.pk).update(status=Match.ABANDONED)
    assert ids(export()) == [seen.pk]


def test_since_and_rules() -> None:
    old, new, other = finished("draw"), finished("draw"), finished("classic")
    Match.objects.filter(pk=old.pk).update(ended_at=time.time() - 3 * 86400)
    assert ids(export("--rules", "classic")) == [other.pk]
    yesterday = datetime.fromtimestamp(time.time() - 86400, UTC)
    assert ids(export("--since", f"{yesterday:%Y-%m-%d}", "--rules", "draw")) == [new.pk]
    assert ids(export("--since", f"{yesterday:%Y-%m-%dT%H:%M}+00:00")) == [new.pk, other.pk]
    with pytest.raises(CommandError, match="no date"):
        call_command("export_matches", "--since", "soon")


def test_a_reader_that_stops_is_no_fault_and_a_pipe_hears_no_progress(tmp_path: Path) -> None:
    env = services.environment(tmp_path)
    services.manage("migrate", "--verbosity", "0", env=env)
    done = services.manage("export_matches", env=env)
    assert (done.stdout, done.stderr) == ("", "")
    script = (
        "import os, sys, django\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'dominoes.settings'\n"
        "django.setup()\n"
        "from django.core.management import call_command\n"
        "from dominoes.table.management.commands import export_matches as m\n"
        "m.portions = lambda ids: iter([['a'] * 5000])\n"
        "m.record_of = lambda id: {'x': 'y' * 100}\n"
        "call_command('export_matches')\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", script],
        env=env,
        cwd=services.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None and program.stderr is not None
    assert program.stdout.readline()
    program.stdout.close()
    errors = program.stderr.read()
    program.stderr.close()
    assert (program.wait(30), errors) == (0, b"")
