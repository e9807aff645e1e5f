"""Jobs in processes: all are done, whatever becomes of the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from schedsolve.runtime.executors.jobs import Done
from schedsolve.runtime.executors.processes import Processes


def square(x: int) -> int:
    """A job; 3 it refuses."""
    if x == 3:
        raise ValueError("not\nthree")
    return x * x


def die_once(folder: str, x: int) -> int:
    """A job whose worker is killed the first time."""
    mark = Path(folder) / str(x)
    if x % 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def wait_for(file: str) -> str:
    """A job that ends when a file is there."""
    while not Path(file).exists():
        time.sleep(0.01)
    return file


def die() -> None:
    """A job that kills every worker."""
    os._exit(7)


def unpicklable() -> object:
    """A job whose value cannot be sent."""
    return lambda: 0


def test_patience_ends_before_a_job_does(tmp_path: Path) -> None:
    """Whoever waits so many seconds only gets nothing of a job that takes longer, and the job goes on."""
    file = tmp_path / "go"
    with Processes(1) as workers:
        assert workers.width == 1
        workers.submit("late", wait_for, str(file))
        assert list(workers.completed(0.1)) == []
        file.touch()
        assert list(workers.completed()) == [Done("late", str(file))]


def process_id() -> int:
    """A job that says which process does it."""
    return os.getpid()


def test_a_key_stays_with_its_worker() -> None:
    """Whatever a worker keeps for a key is there at the next job of this key, as long as it is free."""
    with Processes(2) as workers:
        for key in "ab":
            workers.submit(key, process_id)
        first = {done.key: done.value for done in workers.completed()}
        for keys in ("ab", "ba", "a", "b"):
            for key in keys:
                workers.submit(key, process_id)
            assert {done.key: done.value for done in workers.completed()} == {k: first[k] for k in keys}


def test_jobs_come_back_with_values_and_errors() -> None:
    """Every job once; an exception is a line that says where; more may be submitted while results come."""
    with Processes(2) as workers:
        for x in range(6):
            workers.submit(x, square, x)
        workers.submit("lambda", unpicklable)
        found: dict[Any, Done] = {}
        for done in workers.completed():
            found[done.key] = done
            if done.key == 5:
                workers.submit("late", square, 9)
    values = {key: done.value for key, done in found.items() if done.error is None}
    assert values == {0: 0, 1: 1, 2: 4, 4: 16, 5: 25, "late": 81}
    assert found[3].error is not None
    assert found[3].error.startswith("ValueError: not three (")
    assert "pickle" in (found["lambda"].error or "").lower()


def test_what_a_dead_worker_did_is_done_again(tmp_path: Path) -> None:
    """Killed in the middle: the same results; a job that kills every worker is given up."""
    with Processes(2) as workers:
        for x in range(4):
            workers.submit(x, die_once, str(tmp_path), x)
        workers.submit("deadly", die)
        found: dict[Any, Done] = {done.key: done for done in workers.completed()}
    assert [found[x].value for x in range(4)] == list(range(4))
    assert found["deadly"].error == "3 workers died of it, the last with exit status 7"


PARENT = """
import os, sys, time
from schedsolve.runtime.executors.jobs import Done
from schedsolve.runtime.executors.processes import Processes
from tests.runtime.executors.test_processes import busy

if __name__ == "__main__":
    workers = Processes(2)
    workers.submit(0, busy, sys.argv[1])
    workers.submit(1, busy, sys.argv[1])
    list(workers.completed())
"""


def busy(folder: str) -> None:
    """A job that says who does it, and does not end."""
    (Path(folder) / f"worker-{os.getpid()}").touch()
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(tmp_path: Path, number: signal.Signals) -> None:
    """However it ends, and though they are in the middle of a job."""
    (tmp_path / "parent.py").write_text(PARENT)
    root = str(Path(__file__).parents[3])
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "parent.py"), str(tmp_path)], env={**os.environ, "PYTHONPATH": root}
    )
    while len(workers := list(tmp_path.glob("worker-*"))) < 2:
        assert parent.poll() is None
        time.sleep(0.02)
    parent.send_signal(number)
    parent.wait()
    for worker in workers:
        while _runs(int(worker.name.partition("-")[2])):
            time.sleep(0.02)


def _runs(number: int) -> bool:
    """Whether a process runs; one that has ended and nobody waited for does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
