"""Two processes on one store, one of them perhaps killed: each ends with its answer or with one line; no row
is lost, and what is stored is what is true.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

LIST = '[[problem]]\nmodel = "telephone"\ntask = "gossip"\nnetwork = ["cycle:4..{most}"]\n'
CHECK = "results s.db --check --workers 1"
LINES = (
    "sweep list.toml --store s.db --workers 1",
    "solve telegraph gossip complete:6 --store s.db --workers 2",
    "design telephone gossip --nodes 7 --store s.db -q",
    "results s.db --columns n,value",
    "compare list.toml --store s.db -q",
)


def try_two_processes(random: Random) -> tuple[str, str]:
    """Start two commands at nearly the same time, then sweep to the end; what came of it, and a finding."""
    most = random.randint(8, 30)
    with TemporaryDirectory() as folder:
        Path(folder, "list.toml").write_text(LIST.format(most=most))
        lines = [LINES[0], random.choice(LINES)]
        running = [_started(lines[0], folder)]
        time.sleep(random.random() / 4)
        running.append(_started(lines[1], folder))
        killed = random.random() < 0.3
        if killed:
            time.sleep(2 * random.random())
            os.killpg(random.choice(running).pid, signal.SIGKILL)
        said = [_ended(one) for one in running]
        said += [_ended(_started(line, folder)) for line in (LINES[0], CHECK)]
    for (status, words), line in zip(said, [*lines, "sweep again", "results --check"], strict=True):
        if "Traceback" in words or (status == 2 and words.count("\n") != 1):
            return "traceback", f"{line}: {words}"
        if status not in (0, 2) and not (killed and status == -signal.SIGKILL):
            return "broken", f"{line}: exit {status}, {words}"
    if f"{most - 3} results: {most - 3} verified, 0 failed" not in said[-1][1]:
        return "lost", f"{' and '.join(lines)}, killed {killed}: {said[-1][1]}"
    return "whole", ""


def _started(line: str, folder: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "schedsolve", *line.split()],
        cwd=folder,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    words, _ = process.communicate(timeout=120)
    return process.returncode, words
