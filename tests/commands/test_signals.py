"""Ctrl-C, as a real signal to a real process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.result import result_to_json
from schedsolve.solving.solve import solve


def interrupted(arguments: list[str], ready: float) -> subprocess.CompletedProcess[str]:
    """Run the command line, send it SIGINT after so many seconds, and wait for its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "schedsolve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(ready)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@pytest.mark.parametrize("options", [[], ["--backend", "cpsat"], ["--workers", "2"]])
def test_a_solve_keeps_what_it_has(options: list[str]) -> None:
    """An interrupted solve prints the best schedule and both bounds, and ends with 3."""
    seen = interrupted(["solve", "telegraph", "gossip", "complete:10", "--json", *options], ready=3)
    result = json.loads(seen.stdout)
    assert (seen.returncode, seen.stderr, result["status"]) == (3, "", "bounded")
    assert result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])


def test_a_check_ends_without_a_verdict(tmp_path: Path) -> None:
    """An interrupted check says so in one line, and does not end with 1, which would mean that a claim
    fails.
    """
    problem = build_problem("telegraph", "gossip", Network.from_spec("petersen"), {"rounds": 6})
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result_to_json(solve(problem, Options(certify=True)))))
    seen = interrupted(["check", str(file)], ready=1.5)
    assert (seen.returncode, seen.stderr) == (3, "schedsolve: interrupted\n")
