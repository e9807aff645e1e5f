"""Ctrl-C and SIGTERM, as a real signal to a real process, sent when the process has said how far it is."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve

CHECK = """
import os
import sys
from schedsolve.certify import propagation
from schedsolve.commands.cli import main

def endless(*arguments):
    os.write(2, b"replaying\\n")
    while True:
        follows(*arguments)

follows, propagation._Formula.follows = propagation._Formula.follows, endless
sys.exit(main(["check", sys.argv[1]]))
"""
"""A check that says when it replays a refutation, and then never ends."""


def interrupted(
    command: list[str], sign: bytes, number: signal.Signals = signal.SIGINT
) -> tuple[int, str, str]:
    """Run Python with a terminal for standard error, send a signal when that shows the sign, and wait for the
    end; the exit status, standard output, and what the terminal showed.
    """
    terminal, side = pty.openpty()
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=side, text=True)
    os.close(side)
    shown = b""
    try:
        while sign not in shown:
            assert select.select([terminal], [], [], 60)[0], shown
            shown += os.read(terminal, 1000)
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
        while more := _rest(terminal):
            shown += more
        return process.returncode, out, shown.decode()
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _rest(terminal: int) -> bytes:
    """What a terminal still shows after the process at its other side has ended."""
    try:
        return os.read(terminal, 1000)
    except OSError:
        return b""


HARD = ["telegraph", "gossip", "random-regular:3,30,1"]


@pytest.mark.parametrize(
    "arguments",
    [
        HARD,
        ["telegraph", "gossip", "torus:4x4"],
        ["telegraph", "gossip", "hypercube:4", "--backend", "cpsat"],
        ["telegraph", "gossip", "torus:4x4", "--workers", "2"],
    ],
    ids=" ".join,
)
def test_a_solve_keeps_what_it_has(arguments: list[str]) -> None:
    """An interrupted solve prints the best schedule and both bounds, and ends with 3."""
    status, out, shown = interrupted(["-m", "schedsolve", "solve", *arguments, "--json"], b"deciding")
    result = json.loads(out)
    assert (status, result["status"], result["stopped"]) == (3, "bounded", "interrupted")
    assert result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])
    assert "Traceback" not in shown


@pytest.mark.parametrize("workers", ["1", "2"])
def test_sigterm_saves_the_result(workers: str, tmp_path: Path) -> None:
    """SIGTERM is Ctrl-C: the best schedule and both bounds are saved, with 3 and without a traceback."""
    file = tmp_path / "x.json"
    options = ["--workers", workers, "--output", str(file)]
    command = ["-m", "schedsolve", "solve", *HARD, *options]
    status, out, shown = interrupted(command, b"deciding", signal.SIGTERM)
    assert (status, "interrupted" in out, "Traceback" in shown) == (3, True, False)
    result = json.loads(file.read_text())
    assert result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])


def test_a_check_ends_without_a_verdict(tmp_path: Path) -> None:
    """An interrupted check says so in one line, and does not end with 1, which would mean that a claim
    fails.
    """
    problem = build_problem("telegraph", "gossip", Network.from_spec("cycle:6"), {"rounds": 5})
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result_to_json(solve(problem, Options(certify="refutation")))))
    seen = interrupted(["-c", CHECK, str(file)], b"replaying")
    assert seen == (3, "", "replaying\r\n\r\x1b[Kschedsolve: interrupted\r\n")
