"""Programs for torch.distributed do what the collectives say, run rank by rank without torch.

`make test-torch` runs them with it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from schedsolve import InputError, build_problem, solve
from schedsolve.machines import chunks_in_batches, targets
from schedsolve.machines.batches import in_batches
from schedsolve.machines.chunks_in_batches import movement_in_batches
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.targets import TARGETS
from schedsolve.machines.timing import LONG_MESSAGES
from schedsolve.machines.torch import collective
from schedsolve.machines.torch_program import least_digits, routes_and_batches
from tests.command_line import Cli, refused
from tests.machines.mpi_stand_in import expected
from tests.machines.test_mpi_program import PROBLEMS
from tests.machines.torch_stand_in import Tensor, loaded, results

TABLES = ("ROUTES", "BATCHES")


def program(cli: Cli, problem: str, options: str = "") -> str:
    assert cli(f"solve {problem} --output r.json").status == 0
    assert cli(f"export r.json -o program.py --for torch {options}").out.startswith("program.py\n")
    return Path("program.py").read_text()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_tensors_are_right(cli: Cli, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For sizes that the chunks divide, that they do not, and zero; the inputs are left alone."""
    text = program(cli, problem)
    ranks = int(re.findall(r"--nproc-per-node (\d+)", text)[0])
    made = loaded(text, ranks, monkeypatch)
    assert made.name == PROBLEMS[problem].replace("_", "-")
    for count in (0, 1, 60, 61):
        given, got = results(made, count)
        wanted = expected(PROBLEMS[problem], given, made.root)
        for one, other in zip(got, wanted, strict=True):
            assert np.array_equal(one, other)


def test_a_spoilt_program_is_wrong(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above compares differs when a hop is in another batch."""
    text = program(cli, "synchronous broadcast path:3 --steps 2 --chunks 1 --source 0")
    made = loaded(text.replace("\n0 0 01\n", "\n0 0 10\n"), 3, monkeypatch)
    with pytest.raises(KeyError):
        made._exchange({}, 2, np.zeros(2).view(Tensor), 1, None)


def test_chunks_with_the_same_hops_share_a_route(cli: Cli) -> None:
    """An allreduce has fewer routes than chunks, and a few digits for a hop."""
    tables = []
    for chunks in (24, 96):
        text = program(cli, "pipelined allreduce kautz:2,3", f"--chunks {chunks}")
        tables.append([re.findall(rf'{name} = """\n(.*?)\n"""', text, re.DOTALL)[0] for name in TABLES])
    routes, batches = ([len(table.splitlines()) for table in column] for column in zip(*tables, strict=True))
    assert routes[0] <= routes[1] < 48
    assert batches == [24, 96]
    digits = sum(len(line.split()[2]) for line in tables[1][1].splitlines())
    assert digits == 2 * 96 * 46
    assert len(tables[1][1]) < 1.2 * digits


@pytest.mark.parametrize(
    ("problem", "most"),
    [
        ("pipelined allgather dgx1", 1.0),
        ("pipelined allreduce dgx1", 1.0),
        ("pipelined alltoall dgx1", 1.0),
        ("pipelined allgather hypercube:3", 1.05),
    ],
)
def test_programs_are_near_the_optimum(cli: Cli, problem: str, most: float) -> None:
    """The sum of the batches' times, each as long as its busiest link."""
    assert cli(f"solve {problem} --output r.json").status == 0
    said = cli("export r.json -o program.py --for torch").out
    assert float(re.findall(r"([\d.]+) times the optimum", said)[0]) <= most


def test_what_is_too_large_is_not_put_into_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digits are counted before: of each hop those of the number of its batch, and no more."""
    for task, network, hops, chain in (("gossip", "path:12", 132, 11), ("broadcast", "path:12", 11, 11)):
        result = solve(build_problem("telephone", task, network))
        assert result.indexed is not None
        source = SavedSchedule("it", result.placed, result.indexed, result)
        movement = source.movement(in_batches=True)
        assert least_digits(movement) == hops * len(str(chain - 1))
        lines = routes_and_batches(in_batches(movement, LONG_MESSAGES))[1].split("\n")
        assert hops * len(str(chain - 1)) <= sum(len(line.split()[2]) for line in lines)
    too_large = TARGETS["torch"].too_large
    assert too_large(movement) is None
    monkeypatch.setattr(targets, "MOST_BYTES", 21)
    assert too_large(movement) == "with 1 chunks the program has at least 0.0 MB, and 1 MB is the most"
    monkeypatch.setattr(chunks_in_batches, "BatchSearch", None)
    assert movement_in_batches(source, too_large=too_large) == movement


def test_targets_that_there_are_not(cli: Cli) -> None:
    """Another ending, another name, and what is no program."""
    assert cli("solve synchronous allgather path:3 --steps 2 --output r.json").status == 0
    assert "a program for torch ends in .py" in refused(cli("export r.json -o p.json --for torch"))
    assert "'jax'" in refused(cli("export r.json -o p.py --for jax"))
    assert "ends in .py" in refused(cli("export r.json -o p.v --for torch"))
    assert not list(Path().glob("p.*"))


def test_a_callable_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what is missing; a result without a schedule is none."""
    monkeypatch.setitem(sys.modules, "torch", None)
    result = solve(build_problem("synchronous", "allgather", "path:3", steps=2))
    with pytest.raises(InputError, match="needs torch"):
        collective(result)
