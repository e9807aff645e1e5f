"""Programs for MPI do what MPI's own collectives do, run rank by rank without MPI; `make test-mpi` runs them
with it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.command_line import Cli, refused
from tests.machines.mpi_stand_in import expected, loaded, results

PROBLEMS = {
    "synchronous allgather amd4 --steps 2": "allgather",
    "synchronous alltoall cycle:4 --steps 2 --chunks 2": "alltoall",
    "synchronous broadcast dgx1 --steps 2 --source 3": "broadcast",
    "synchronous gather leaf-spine:2,2,1 --steps 1 --root 1": "gather",
    "synchronous scatter path:3 --steps 2 --source 1": "scatter",
    "synchronous reduce cycle:5 --steps 2 --root 2": "reduce",
    "synchronous reduce-scatter path:3 --steps 2": "reduce_scatter",
    "synchronous allreduce cycle:4 --steps 2": "allreduce",
    "synchronous allreduce amd4 --steps 4 --chunks 4": "allreduce",
    "pipelined allgather amd4": "allgather",
    "pipelined alltoall petersen": "alltoall",
    "pipelined allreduce path:4": "allreduce",
    "pipelined reduce amd4 --root 2": "reduce",
    "pipelined reduce-scatter cycle:5": "reduce_scatter",
    "telephone gossip hypercube:3": "allgather",
    "telephone gossip cycle:6 --period 2": "allgather",
    "telegraph broadcast grid:2x3 --source 4": "broadcast",
    "telegraph accumulation cycle:5 --root 2": "gather",
    "line gossip path:4": "allgather",
    "line broadcast star:6 --source 3 --ports 1": "broadcast",
    "line accumulation star:5": "gather",
}


def program(cli: Cli, problem: str, options: str = "") -> str:
    assert cli(f"solve {problem} --output r.json").status == 0
    assert cli(f"export r.json -o program.py {options}").out.startswith("program.py\n")
    return Path("program.py").read_text()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_buffers_are_right(cli: Cli, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For sizes that the chunks divide, that they do not, and zero; the send buffers are left alone."""
    collective = PROBLEMS[problem]
    module = loaded(program(cli, problem), monkeypatch)
    for count in (0, 1, 60, 61):
        sent, received = results(module, collective, count)
        wanted = expected(collective, sent, getattr(module, "ROOT", 0))
        for one, other in zip(received, wanted, strict=True):
            assert np.array_equal(one, other)


def test_a_spoilt_program_is_wrong(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above compares differs when a chunk arrives changed."""
    text = program(cli, "synchronous broadcast path:3 --steps 2 --chunks 2 --source 0")
    module = loaded(text.replace("= message[begin:end]", "= message[begin:end] + 1"), monkeypatch)
    sent, received = results(module, "broadcast", 20)
    assert np.array_equal(received[2], sent[0] + 2)


def test_chunks_can_be_chosen(cli: Cli) -> None:
    """More chunks of every unit; a number that the schedule's does not divide is refused."""
    assert "CHUNKS = 6" in program(cli, "synchronous allgather amd4 --steps 2 --chunks 2", "--chunks 6")
    assert "takes a multiple of 2" in refused(cli("export r.json -o p.py --chunks 3"))
    assert "CHUNKS = 5" in program(cli, "pipelined allgather amd4", "--chunks 5")
    assert "CHUNKS = 3" in program(cli, "telephone gossip path:4", "--chunks 3")


def test_what_is_no_program(cli: Cli) -> None:
    """Models and tasks without programs, results without a schedule, and schedules that stop early."""
    assert cli("solve fat-tree broadcast fat-tree:8 --output f.json").status == 0
    assert "not written as programs" in refused(cli("export f.json -o f.py"))
    assert cli("solve telegraph multicast path:4 --targets 1,2 --output m.json").status == 0
    assert cli("solve pipelined allreduce a100:1 --switches-copy --output c.json").status == 0
    assert "switches that copy and add up" in refused(cli("export c.json -o c.py"))
    assert "a multicast of telegraph is no collective" in refused(cli("export m.json -o m.py"))
    assert cli("solve telegraph broadcast path:4 --source 0,3 --output b.json").status == 0
    assert "has one source, and this one has 2" in refused(cli("export b.json -o b.py"))
    Path("s.json").write_text(
        '{"format": "schedsolve-schedule/1", "problem": {"model": "telegraph", "task": "broadcast",'
        ' "network": "path:3", "parameters": {"source": 0}},'
        ' "schedule": {"rounds": [[{"from": 0, "to": 1}]]}}'
    )
    assert "not complete" in refused(cli("export s.json -o s.py"))
    assert not list(Path().glob("*.py"))
