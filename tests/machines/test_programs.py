"""Programs that are exported: how near the optimum they say that they are, and what is too large."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedsolve import build_problem, solve
from schedsolve.machines import programs
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.targets import TARGETS, Wanted
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, json_of, refused


def test_the_ratio_is_printed(cli: Cli) -> None:
    """Of the program that is written; exactly 1 on a DGX-1, whose rings are never idle."""
    assert cli("solve pipelined allreduce dgx1 --output r.json").status == 0
    lines = cli("export r.json -o p.py").out.splitlines()
    assert lines == [
        "p.py",
        "1.00 times the optimum 7/24 (by the file) without latency; 48 chunks a unit, 672 messages",
    ]
    assert "CHUNKS = 48" in Path("p.py").read_text()
    priced = cli("export r.json -o p.py --size 10GB").out.splitlines()[1]
    said = json_of(cli("time r.json --size 10GB --json"))
    assert f"{said['ratio_to_optimum']:.2f} times" in priced
    assert "for these costs" in priced
    assert cli("solve telephone gossip cycle:4 --output g.json").status == 0
    assert re.search(
        r"times the lower bound 3/2 without latency; 1 chunk a unit", cli("export g.json -o g.py").out
    )


def test_batches_get_more_chunks(cli: Cli) -> None:
    """A chain is filled and emptied a batch at a time: as many chunks as bring it within 1.05."""
    assert cli("solve pipelined broadcast path:4 --source 0 --output r.json").status == 0
    said = re.search(r"([0-9.]+) times .*; ([0-9]+) chunks", cli("export r.json -o t.py --for torch").out)
    assert said is not None
    assert float(said[1]) <= 1.05
    assert int(said[2]) > 24
    fixed = cli("export r.json -o t.py --for torch --chunks 24").out
    assert float(fixed.splitlines()[1].split()[0]) > 1.05


def test_a_plan_holds_fewer_chunks(cli: Cli) -> None:
    """The most with which the file is below 1 MB; a number beyond is refused with one that works."""
    assert cli("solve pipelined allgather amd4 --output r.json").status == 0
    assert "chunks a unit" in cli("export r.json -o a.json --for mscclpp").out
    assert Path("a.json").stat().st_size <= 10**6
    message = refused(cli("export r.json -o b.json --for mscclpp --chunks 600"))
    works = re.search(r"1 MB is the most; --chunks ([0-9]+) works", message)
    assert works, message
    assert not Path("b.json").exists()
    assert cli(f"export r.json -o b.json --for mscclpp --chunks {works[1]}").status == 0
    message = refused(cli("export r.json -o b.py --chunks 1000000"))
    assert "1000000 chunks make 12000000 messages, which take too long; --chunks" in message


def test_costs_go_with_a_size(cli: Cli) -> None:
    """Prices without bytes say nothing; networks without a name have no prices."""
    assert cli("solve pipelined allgather amd4 --output r.json").status == 0
    assert "--alpha and --beta go with --size" in refused(cli("export r.json -o p.py --alpha 1e-6"))
    assert "amd4 has no costs of its own" in refused(cli("export r.json -o p.py --size 1MB"))


def test_long_schedules_are_cut(cli: Cli) -> None:
    """Twelve lines of a schedule and how many more there are, or all of them."""
    cut, full = (
        cli(f"solve pipelined allgather dgx1 {option}").out.splitlines() for option in ("", "--full")
    )
    assert len(full) > len(cut)
    assert cut[-1] == f"... {len(full) - len(cut) + 1} more, --full"
    assert cut[:-1] == full[: len(cut) - 1]
    assert len([line for line in cut if line.startswith("tree")]) == 12


def test_an_export_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written in few chunks; where more were asked for, it names the number that works."""
    result = solve(build_problem("pipelined", "allgather", "cycle:4"))
    source = SavedSchedule("r", result.placed, result.indexed, result)
    monkeypatch.setattr(programs, "FEW_CHUNKS", 2)
    files, movement = programs._in_few_chunks(source, TARGETS["mpi"], Wanted("p.py", "t"), None, None)
    assert (movement.chunks, list(files)) == (2, ["p.py"])
    with pytest.raises(InputError, match=r"more than 20 s; (--)?chunks 2 works$"):
        programs._in_few_chunks(source, TARGETS["mpi"], Wanted("p.py", "t"), 5, None)
    with pytest.raises(InputError, match=r"more than 20 s$"):
        programs._in_few_chunks(source, TARGETS["mpi"], Wanted("p.py", "t"), 2, None)
