"""Sweeps on a Dask cluster: the same table, whatever becomes of the workers; and tables as Parquet.

Needs the extras `cluster` and `tables`: run by `make test-cluster`.
"""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from schedsolve.runtime.errors import InputError
from schedsolve.runtime.executors.cluster import Cluster
from schedsolve.runtime.executors.jobs import Done
from tests.command_line import Cli, refused

pytest.importorskip("distributed")
ROOT = Path(__file__).parents[4]
LIST = """
[[problem]]
model = "telephone"
tasks = ["gossip", "broadcast"]
networks = ["trees:4..6", "cycle:3..6"]
"""


def rows(file: str) -> list[dict[str, str]]:
    """A table in a CSV file, but for the seconds."""
    found = list(csv.DictReader(Path(file).read_text().splitlines()))
    return [{name: text for name, text in row.items() if name != "seconds"} for row in found]


def die_once(folder: str, x: int) -> int:
    """A job whose worker is killed the first time."""
    mark = Path(folder) / str(x)
    if x % 5 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x * x


def slow_square(folder: str, x: int) -> int:
    """A job that says which process does it, and takes its time."""
    (Path(folder) / f"{os.getpid()}").touch()
    time.sleep(0.05)
    return x * x


def fails() -> None:
    raise ValueError("not this one")


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        env=environment,
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )


class Scheduler(NamedTuple):
    """Where it listens, and its process."""

    address: str
    process: subprocess.Popen[bytes]


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    """A scheduler in a process of its own."""
    file = tmp_path / "scheduler.json"
    process = start(
        tmp_path, "dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    )
    try:
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield Scheduler(json.loads(file.read_text())["address"], process)
    finally:
        process.kill()
        process.wait()


def test_workers_that_are_killed_from_outside(tmp_path: Path, scheduler: Scheduler) -> None:
    """Two workers, one killed in the middle of its work: every job is done; errors come back as lines."""
    marks = tmp_path / "marks"
    marks.mkdir()
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--worker-port", "0")
    workers = [start(tmp_path, "dask_worker", scheduler.address, *options) for _ in range(2)]
    try:
        with Cluster(scheduler.address) as cluster:
            for x in range(60):
                cluster.submit(x, slow_square, str(marks), x)
            cluster.submit("bad", fails)
            found: dict[Any, Done] = {}
            killed = False
            for done in cluster.completed():
                found[done.key] = done
                if not killed and len(list(marks.iterdir())) == 2:
                    workers[0].kill()
                    killed = True
        assert killed
        assert [found[x].error for x in range(60)] == [None] * 60
        assert [found[x].value for x in range(60)] == [x * x for x in range(60)]
        assert (found["bad"].error or "").startswith("ValueError: not this one")
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def test_the_scheduler_is_killed(tmp_path: Path, scheduler: Scheduler) -> None:
    """One line, after the results that came before."""
    worker = start(
        tmp_path, "dask_worker", scheduler.address, "--no-nanny", "--nthreads", "1", "--no-dashboard"
    )
    try:
        with Cluster(scheduler.address) as cluster:
            for x in range(60):
                cluster.submit(x, slow_square, str(tmp_path), x)
            found = cluster.completed()
            assert next(found).value == 0
            scheduler.process.kill()
            with pytest.raises(InputError, match="the Dask scheduler is gone"):
                list(found)
    finally:
        worker.kill()
        worker.wait()


def test_jobs_that_kill_their_worker_are_done_again(tmp_path: Path) -> None:
    """On a cluster of this machine, whose workers are started again."""
    with Cluster("local", 2) as cluster:
        for x in range(12):
            cluster.submit(x, die_once, str(tmp_path), x)
        found: dict[Any, Done] = {done.key: done for done in cluster.completed()}
    assert [found[x].value for x in range(12)] == [x * x for x in range(12)]


def test_the_same_table(cli: Cli) -> None:
    """As by processes; the sweep goes on where either stopped, and the check verifies it there too."""
    Path("list.toml").write_text(LIST)
    ran = cli("sweep list.toml --store dask.db --dask local --workers 2")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("30 problems: 30 solved, 0 open; ")
    cli("sweep list.toml --store processes.db --workers 2")
    for name in ("dask", "processes"):
        cli(f"results {name}.db --output {name}.csv")
    assert rows("dask.csv") == rows("processes.csv")
    assert (
        cli("results dask.db --check --dask local --workers 2").out == "30 results: 30 verified, 0 failed\n"
    )


def test_nobody_answers(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and the store keeps what it has."""
    monkeypatch.setattr("schedsolve.runtime.executors.cluster.CONNECT_SECONDS", 1)
    Path("list.toml").write_text(LIST)
    assert "no Dask scheduler answers" in refused(
        cli("sweep list.toml --store r.db --dask tcp://127.0.0.1:9")
    )
    assert "no Dask scheduler answers" in refused(cli("sweep list.toml --store r.db --dask nonsense://x"))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"schedsolve\[cluster\]"):
        Cluster("local")


def test_parquet(cli: Cli) -> None:
    """Whole numbers and truths as such, fractions as texts, nothing for what is missing."""
    parquet = pytest.importorskip("pyarrow.parquet")
    Path("list.toml").write_text(
        LIST + '[[problem]]\nmodel="linear-cost"\ntask="broadcast"\nnetwork="complete:8"\nextra_rounds=3\n'
    )
    cli("sweep list.toml --store r.db")
    columns = "network,n,value,girth,bipartite,seconds"
    assert cli(f"results r.db --columns {columns} --output t.parquet").out == "31 rows\n"
    found = parquet.read_table("t.parquet").to_pydict()
    assert list(found) == columns.split(",")
    assert found["value"][-1] == "3/2"
    assert {type(x) for x in found["n"]} == {int}
    assert {type(x) for x in found["bipartite"]} == {bool}
    assert None in found["girth"]
    cli(f"results r.db --columns {columns} --where n<8 --output t.parquet")
    assert {type(x) for x in parquet.read_table("t.parquet").to_pydict()["value"]} == {int}
