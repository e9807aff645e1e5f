"""Sweeps: every problem once, into a store that survives what happens to them, and the tables of it."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.runtime.executors.opened import executor
from schedsolve.solving.many import Tally, sweep
from schedsolve.solving.problem_list import read_problem_list
from schedsolve.solving.store import ResultKey, Store, record_of
from tests.command_line import Cli, refused

LIST = """
[[problem]]
model = "telephone"
tasks = ["gossip", "broadcast"]
networks = ["trees:4..6", "cycle:3..6"]
"""
ROOT = Path(__file__).parents[3]


@pytest.fixture
def listed(cli: Cli) -> Cli:
    """The command line in a folder that has the list."""
    Path("list.toml").write_text(LIST)
    return cli


def rows(file: str) -> list[dict[str, str]]:
    """A table in a CSV file, but for the seconds."""
    found = list(csv.DictReader(Path(file).read_text().splitlines()))
    return [{name: text for name, text in row.items() if name != "seconds"} for row in found]


def test_a_sweep_and_its_table(listed: Cli) -> None:
    """Every problem once, with what a single solve finds; again, nothing is done; the check verifies all."""
    first = listed("sweep list.toml --store r.db --workers 2")
    assert (first.status, first.err) == (0, "")
    assert first.out.startswith("30 problems: 30 solved, 0 open; ")
    assert sorted(p.name for p in Path().iterdir()) == ["list.toml", "r.db"]
    again = listed("sweep list.toml --store r.db --workers 2")
    assert "; 30 of them were there; " in again.out
    assert listed("results r.db --output all.csv").out == "30 rows\n"
    found = rows("all.csv")
    assert list(found[0]) == [
        "network", "n", "m", "diameter", "max_degree", "model", "task", "parameters", "status", "value",
        "lower_bound", "problem_id",
    ]  # fmt: skip
    for row in found:
        parameters = {"source": 0} if row["task"] == "broadcast" else {}
        problem = build_problem(row["model"], row["task"], Network.from_spec(row["network"]), parameters)
        assert (row["status"], row["value"]) == ("optimal", str(solve(problem).value))
    checked = listed("results r.db --check --workers 1")
    assert (checked.status, checked.out) == (0, "30 results: 30 verified, 0 failed\n")


@pytest.mark.usefixtures("here")
def test_the_same_problem_is_solved_once(cli: Cli) -> None:
    """Under two names, in two tables: one row, with the first name."""
    Path("twice.toml").write_text(
        '[[problem]]\nmodel="telephone"\ntask="gossip"\nnetworks=["cycle:3", "complete:3"]\n'
        '[[problem]]\nmodel="telephone"\ntask="gossip"\nnetwork="graph6:Bw"\n'
    )
    assert cli("sweep twice.toml --store r.db").out.startswith("1 problem: 1 solved")
    assert cli("results r.db --columns network").out.split() == ["network", "cycle:3"]


KILLED = """
import os, signal, sys
from schedsolve.commands.cli import main
from schedsolve.runtime.executors import opened
from schedsolve.solving.store import Store
from tests.solving.in_process import Here

def add(self, *arguments, count=[0]):
    before(self, *arguments)
    count[0] += 1
    if count[0] == 5:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    before, Store.add, opened.Processes = Store.add, add, Here
    main(["sweep", "list.toml", "--store", "killed.db"])
"""
"""A sweep that is killed after its fifth result."""


@pytest.mark.usefixtures("here")
def test_killed_three_times(listed: Cli) -> None:
    """What was finished is there each time, and in the end the table is that of a run without."""
    Path("killed.py").write_text(KILLED)
    for number in range(1, 4):
        ended = subprocess.run(
            [sys.executable, "killed.py"], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
        )
        assert ended.returncode == -signal.SIGKILL
        assert listed("results killed.db --columns problem_id").out.count("\n") == 1 + 5 * number
    assert "15 of them were there" in listed("sweep list.toml --store killed.db").out
    listed("sweep list.toml --store whole.db")
    listed("results killed.db --output killed.csv")
    listed("results whole.db --output whole.csv")
    assert rows("killed.csv") == rows("whole.csv")


@pytest.mark.usefixtures("here")
def test_a_second_writer_is_refused(listed: Cli) -> None:
    """In one line that names the process; a reader is not."""
    with Store("r.db", write=True):
        assert f"another process ({os.getpid()})" in refused(listed("sweep list.toml --store r.db"))
        assert listed("results r.db").status == 0
    assert listed("sweep list.toml --store r.db").status == 0


@pytest.mark.usefixtures("here")
def test_a_full_disk(listed: Cli) -> None:
    """One line, and what was stored before is there."""
    limited = "ulimit -f 200; exec {} -m schedsolve sweep list.toml --store r.db --workers 1"
    ended = subprocess.run(
        ["bash", "-c", limited.format(sys.executable)], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "what was stored before is kept" in ended.stderr
    kept = listed("results r.db --columns problem_id").out.count("\n") - 1
    assert 0 < kept < 30
    assert f"{kept} of them were there" in listed("sweep list.toml --store r.db").out


@pytest.mark.usefixtures("here")
def test_files_that_are_no_stores(listed: Cli) -> None:
    """One line each; nothing is written to them."""
    with Store("other.db", write=True):
        pass
    with sqlite3.connect("other.db") as other:
        other.execute("pragma user_version = 99")
    other.close()
    with sqlite3.connect("foreign.db") as foreign:
        foreign.execute("create table mine (x)")
    foreign.close()
    Path("text.db").write_text("no store at all, " * 100)
    for command in ("results {}", "sweep list.toml --store {}", "compare list.toml --store {}"):
        before = {file: Path(file).read_bytes() for file in ("other.db", "foreign.db", "text.db")}
        assert "a store of version 99" in refused(listed(command.format("other.db")))
        for file in ("foreign.db", "text.db"):
            assert "is no store of results" in refused(listed(command.format(file)))
        assert before == {file: Path(file).read_bytes() for file in before}
    assert "there is no such store" in refused(listed("results none.db"))
    assert "cannot write" in refused(listed("sweep list.toml --store no/folder/r.db"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[problem]", "not a valid TOML file"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetworks=['path:2', 'pigeon:3']", "pigeon"),
        (
            "[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\nperiod=[]",
            "period is an empty list",
        ),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\nperiod='9..2'", "a range is A..B"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\nperiod=['a', 2]", "--period"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\ntime_limit='x'", "time_limit is"),
        ("[[problem]]\nmodel='telephone'\ntasks=['gossip', 3]\nnetwork='path:2'", "it needs model"),
    ],
)
def test_bad_lists(cli: Cli, text: str, words: str) -> None:
    """One line, before anything is solved; no store is made."""
    Path("bad.toml").write_text(text)
    assert words in refused(cli("sweep bad.toml --store r.db"))
    assert not Path("r.db").exists()


def test_parameters_in_lists_and_ranges(cli: Cli) -> None:
    """Every combination; a list that is one value is one."""
    Path("list.toml").write_text(
        '[[problem]]\nmodel="telephone"\ntask="multicast"\nnetwork="path:4"\ntargets=[[0, 2], [3]]\n'
        'source="0..1"\nperiod=[2, "3"]\n'
        '[[problem]]\nmodel="telephone"\ntask="multicast"\nnetwork="path:4"\ntargets=[0, 2]\n'
        '[[problem]]\nmodel="telephone"\ntask="broadcast"\nnetwork="star:4"\nsource=["min", "max", 1]\n'
        'title = "Stars"\ntime_limit = 3\n'
    )
    groups = read_problem_list("list.toml").groups
    assert [len(group.problems) for group in groups] == [1] * 12
    assert [g.problems[0].parameters for g in groups[:2]] == [
        {"source": 0, "targets": [0, 2], "period": 2},
        {"source": 0, "targets": [0, 2], "period": 3},
    ]
    assert groups[8].problems[0].parameters["targets"] == [0, 2]
    assert [g.title for g in groups[9:]] == [
        "Stars: telephone broadcast source min",
        "Stars: telephone broadcast source max",
        "Stars: telephone broadcast source 1",
    ]
    assert [g.time_limit for g in groups[8:10]] == [None, 3.0]


@pytest.mark.usefixtures("here")
def test_open_results_are_solved_again_with_more_time(tmp_path: Path) -> None:
    """With less or as much they stand; settled ones always; another seed or backend is another result."""
    problem = build_problem("telephone", "gossip", Network.from_spec("path:3"))
    result = record_of(json_of_open(problem))
    with Store(str(tmp_path / "r.db"), write=True) as store:
        store.add(problem, ResultKey(2.0), result)
        assert [list(store.answers(ResultKey(t)).values()) for t in (1.0, 2.0, 3.0, None)] == [
            [False],
            [False],
            [],
            [],
        ]
        assert store.result(problem, ResultKey(3.0)) is None
        seen: list[Tally] = []
        tally = sweep([(problem, ResultKey(5.0))], store, lambda: executor(1), seen.append)
        assert (tally.known, tally.solved, tally.open, seen[0].total) == (0, 1, 0, 1)
        assert [list(store.answers(ResultKey(t)).values()) for t in (9.0, None)] == [[True], [True]]
        for other in (ResultKey(seed=1), ResultKey(backend="cpsat")):
            assert store.answers(other) == {}
        assert store.answers(ResultKey(certify=False)) == store.answers(ResultKey())


def json_of_open(problem: Any) -> dict[str, Any]:
    """A result that a limit stopped."""
    return {
        "format": "schedsolve-result/1", "problem": {}, "status": "bounded", "objective": "rounds",
        "value": None, "lower_bound": 2, "certificate": None, "runtime_seconds": 2.0,
    }  # fmt: skip


@pytest.mark.usefixtures("here")
def test_a_row_or_a_result_that_was_changed_fails_the_check(listed: Cli) -> None:
    """Both in the store: the row is compared with the result, the result with its certificate."""
    Path("list.toml").write_text('[[problem]]\nmodel="telephone"\ntask="gossip"\nnetwork="cycle:3..5"\n')
    listed("sweep list.toml --store r.db")
    with sqlite3.connect("r.db") as store:
        of = "(select results.id from results join networks on networks.id = network_id where n = {})"
        store.execute(f"update results set value = 2 where id in {of.format(3)}")
        store.execute(f"update documents set document = x'00' where result_id in {of.format(4)}")
        store.execute("update networks set girth = 9 where n = 5")
    store.close()
    seen = listed("results r.db --check")
    assert seen.status == 1
    assert seen.out.endswith("3 results: 0 verified, 3 failed\n")
    assert "the row says value 2, the result 3" in seen.out
    assert "girth 9" in seen.out
    assert "it cannot be read" in seen.out


@pytest.mark.usefixtures("here")
def test_least_periods(listed: Cli) -> None:
    """They are a column, which the check compares with the result, and the optimum that claims know."""
    Path("list.toml").write_text(
        '[[problem]]\nmodel="telephone"\ntask="gossip"\nnetwork="star:3..5"\nperiod=["min", 3]\n'
    )
    listed("sweep list.toml --store r.db")
    listed("results r.db --columns n,parameters,status,value,period --output all.csv")
    assert [list(row.values()) for row in rows("all.csv")] == [
        ["3", "period=3", "optimal", "3", "3"],
        ["3", "period=min", "optimal", "3", "2"],
        ["4", "period=3", "optimal", "5", "3"],
        ["4", "period=min", "optimal", "5", "3"],
        ["5", "period=3", "infeasible", "", ""],
        ["5", "period=min", "optimal", "7", "4"],
    ]
    assert listed("results r.db --claim 'gossip_period_min == n - 1'").status == 0
    with sqlite3.connect("r.db") as store:
        store.execute("update results set period = 1 where parameters = 'period=3' and value = 5")
    store.close()
    assert "the row says period 1, the result 3" in listed("results r.db --check").out


@pytest.mark.usefixtures("here")
def test_tables(listed: Cli) -> None:
    """Rows by a condition, columns by name, in every format; one result as a file that check reads."""
    listed("sweep list.toml --store r.db")
    shown = listed(
        "results r.db --where",
        "tree and n == 6 and value > 8 and task == 'gossip'",
        "--columns",
        "network,n,value,girth",
    )
    assert [line.split() for line in shown.out.splitlines()][:2] == [
        ["network", "n", "value", "girth"],
        ["graph6:Esa?", "6", "9"],
    ]
    for ending, words in (
        ("md", "| graph6:Esa? | 9 |"),
        ("html", "<td>graph6:Esa?</td><td>9</td>"),
        ("tex", r"graph6:Esa? & 9 \\"),
    ):
        listed(
            "results r.db --columns network,value --where",
            "network == 'graph6:Esa?'",
            "--output",
            f"t.{ending}",
        )
        assert words in Path(f"t.{ending}").read_text()
    one = "network == 'cycle:5' and task == 'gossip'"
    assert listed("results r.db --output one.json --where", one).status == 0
    assert json.loads(Path("one.json").read_text())["value"] == 4
    assert listed("check one.json --strict").status == 0
    assert "there are 30" in refused(listed("results r.db --output all.json"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("results r.db --where '__import__(1)'", "is no function"),
        ("results r.db --where 'valeu > 3'", "there is no column"),
        ("results r.db --where 'network > 3'", "different kinds"),
        ("results r.db --columns n,x", "there is no column 'x'"),
        ("results r.db --output t.txt", "ends in"),
        ("results r.db --workers 0", "--workers"),
        ("sweep list.toml --store r.db --dask tcp://x:1 --workers 2", "--workers is for this machine"),
        ("sweep list.toml", "--store"),
    ],
)
def test_bad_commands(listed: Cli, line: str, words: str) -> None:
    """One line and exit status 2."""
    with Store("r.db", write=True) as store:
        problem = build_problem("telephone", "gossip", Network.from_spec("path:3"))
        store.add(problem, ResultKey(), record_of(json_of_open(problem)))
    seen = listed(line)
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert words.replace("is no function", "there is no function") in seen.err


@pytest.mark.usefixtures("here")
def test_a_comparison_fills_and_reads_the_store(listed: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one solves nothing and runs no algorithm, and shows the same; a sweep finds the results."""
    Path("list.toml").write_text(
        '[[problem]]\nmodel="telephone"\ntask="gossip"\nnetworks=["cycle:5", "petersen"]\n'
    )
    first = json.loads(listed("compare list.toml --store r.db --json").out)
    monkeypatch.setattr("schedsolve.solving.comparison.solve", None)
    monkeypatch.setattr("schedsolve.solving.comparison.construct", None)
    again = json.loads(listed("compare list.toml --store r.db --json").out)
    for row in (*first["rows"], *again["rows"]):
        row["cpu_seconds"] = 0
    assert first == again
    assert again["rows"][0]["algorithms"]
    assert "2 of them were there" in listed("sweep list.toml --store r.db").out


def test_interrupted(listed: Cli) -> None:
    """Ctrl-C: one summary, what is solved is stored, and the next run goes on."""
    Path("hard.toml").write_text(
        LIST + '[[problem]]\nmodel="telegraph"\ntask="gossip"\nnetwork="random-regular:3,30,1"\n'
    )
    command = [sys.executable, "-m", "schedsolve", "sweep", "hard.toml", "--store", "r.db", "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not Path("r.db").exists() or listed("results r.db --columns n").out.count("\n") < 31:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "")
    assert "30 solved, 0 open, 1 left" in out
    assert listed("results r.db --columns n").out.count("\n") == 31
