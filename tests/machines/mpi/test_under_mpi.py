"""Generated programs under MPI, on 4 and 8 ranks: buffers as MPI's own collectives give them. Run by
`make test-mpi`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve.commands.cli import main

MPIEXEC = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
RUNNER = Path(__file__).with_name("verify_all.py")
PROBLEMS = {
    4: (
        "synchronous allgather amd4 --steps 2",
        "synchronous broadcast amd4 --steps 3 --source 2",
        "synchronous alltoall cycle:4 --steps 2",
        "synchronous gather leaf-spine:2,2,1 --steps 1 --root 3",
        "synchronous scatter path:4 --steps 3 --source 1",
        "synchronous reduce amd4 --steps 2 --root 1",
        "synchronous reduce-scatter path:4 --steps 3",
        "synchronous allreduce cycle:4 --steps 2",
        "synchronous allreduce amd4 --steps 4 --chunks 4",
        "pipelined allgather path:4",
        "pipelined broadcast amd4 --source 1",
        "pipelined alltoall amd4",
        "pipelined allreduce path:4",
        "pipelined reduce amd4 --root 2",
        "pipelined reduce-scatter cycle:4",
        "pipelined gather star:4",
        "pipelined scatter cycle:4 --source 3",
        "telegraph gossip cycle:4",
        "telephone broadcast path:4 --source 1",
        "telephone accumulation star:4 --root 2",
        "line gossip star:4",
        "line accumulation path:4 --root 0",
    ),
    8: (
        "synchronous allgather dgx1 --steps 3",
        "synchronous broadcast dgx1 --steps 2 --source 5",
        "synchronous alltoall dgx1 --steps 2 --chunks 3",
        "synchronous gather dgx1 --steps 2 --chunks 6",
        "synchronous scatter hypercube:3 --steps 3 --source 7",
        "synchronous reduce-scatter dgx1 --steps 2",
        "synchronous allreduce dgx1 --steps 4 --chunks 8",
        "synchronous reduce hypercube:3 --steps 3 --root 7",
        "pipelined allgather a100:1",
        "pipelined broadcast dgx1 --source 7",
        "pipelined alltoall hypercube:3",
        "pipelined allreduce dgx1",
        "pipelined reduce-scatter dgx1",
        "pipelined reduce star:8 --root 5",
        "telephone gossip hypercube:3",
        "telegraph gossip cycle:8",
        "telegraph broadcast grid:2x4 --source 3",
        "line broadcast cycle:8 --source 2 --ports 1",
    ),
}


def under_mpi(ranks: int, *words: object) -> subprocess.CompletedProcess[str]:
    assert MPIEXEC, "no mpiexec; pip install 'schedsolve[mpi]'"
    command = [MPIEXEC, "-n", str(ranks), sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def written(folder: Path, problem: str) -> Path:
    result, out = folder / "result.json", folder / f"{'-'.join(problem.replace(':', '_').split())}.py"
    assert main(["solve", *problem.split(), "--quiet", "--output", str(result)]) == 0
    assert main(["export", str(result), "-o", str(out)]) == 0
    return out


@pytest.mark.parametrize("ranks", PROBLEMS)
def test_every_collective_is_as_mpi_does_it(ranks: int, tmp_path: Path) -> None:
    """One run of MPI for all programs of so many ranks."""
    files = [written(tmp_path, problem) for problem in PROBLEMS[ranks]]
    run = under_mpi(ranks, RUNNER, *files)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count(": as MPI\n") == len(files), run.stdout


def test_one_program_by_hand(tmp_path: Path) -> None:
    """--verify and --time print what they found; another number of ranks is refused; a spoilt program
    differs, with 1.
    """
    file = written(tmp_path, "synchronous allgather path:3 --steps 2")
    run = under_mpi(3, file, "--verify", "--time", "--count", 100, "--repeat", 3)
    assert run.returncode == 0, run.stderr
    assert "allgather: as MPI's own on 3 ranks" in run.stdout
    assert "allgather of 800 bytes a unit: " in run.stdout
    run = under_mpi(2, file, "--verify")
    assert (run.returncode, run.stdout) == (2, "")
    assert "this is a schedule for 3 ranks, and there are 2" in run.stderr
    text = file.read_text()
    file.write_text(text.replace("= message[begin:end]", "= message[begin:end] + 1"))
    run = under_mpi(3, file, "--verify")
    assert run.returncode == 1
    assert "DIFFERS" in run.stdout
    file.write_text(text.replace("STEPS = [", "STEPS = [[(0, 1, [5])],"))
    assert under_mpi(3, file, "--verify").returncode == 1
