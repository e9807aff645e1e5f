"""Generated programs under torch.distributed (gloo), on 4 and 8 ranks, compared with torch's own collectives;
and training with FSDP2 whose collectives are schedules. Run by `make test-torch`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve.commands.cli import main
from tests.machines.mpi.test_under_mpi import PROBLEMS

ROOT = Path(__file__).parents[3]
VERIFY_ALL = Path(__file__).with_name("verify_all.py")
TRAINING = Path(__file__).with_name("train_sharded.py")


def under_torch(ranks: int, *words: object) -> subprocess.CompletedProcess[str]:
    python = os.environ.get("TORCH_PYTHON", sys.executable)
    launcher = [python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)]
    found = os.pathsep.join([str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))])
    environment = {**os.environ, "PYTHONPATH": found, "OMP_NUM_THREADS": "1"}
    command = [*launcher, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)


def written(folder: Path, problem: str) -> Path:
    result, out = folder / "result.json", folder / f"{'-'.join(problem.replace(':', '_').split())}.py"
    assert main(["solve", *problem.split(), "--quiet", "--output", str(result)]) == 0
    assert main(["export", str(result), "-o", str(out), "--for", "torch"]) == 0
    return out


@pytest.mark.parametrize("ranks", PROBLEMS)
def test_every_collective_is_as_torch_does_it(ranks: int, tmp_path: Path) -> None:
    """One run for all programs of so many ranks."""
    files = [written(tmp_path, problem) for problem in PROBLEMS[ranks]]
    seen = under_torch(ranks, VERIFY_ALL, *files)
    assert seen.returncode == 0, seen.stdout + seen.stderr
    assert seen.stdout.count("as torch") == len(files)


def test_a_spoilt_program_differs(tmp_path: Path) -> None:
    """What is stored is not what came."""
    program = written(tmp_path, "synchronous broadcast path:4 --steps 3 --source 0")
    text = program.read_text()
    program.write_text(text.replace("held[c] + piece if adds else piece", "piece + 1"))
    seen = under_torch(4, program, "--verify", "--count", 601)
    assert seen.returncode
    assert "differs from torch's own" in seen.stdout


def test_a_wrong_number_of_ranks(tmp_path: Path) -> None:
    """It is named, and nothing runs."""
    program = written(tmp_path, "synchronous allgather path:3 --steps 2")
    seen = under_torch(2, program)
    assert seen.returncode
    assert "a schedule for 3 ranks, and there are 2" in seen.stderr


def test_training_has_equal_losses() -> None:
    """FSDP2 with an allgather and a reduce-scatter of ours, and with torch's own."""
    losses = {}
    for which in ("ours", "torch"):
        seen = under_torch(4, TRAINING, which)
        assert seen.returncode == 0, seen.stderr
        losses[which] = seen.stdout
    assert losses["ours"] == losses["torch"]
    assert losses["ours"].count("loss") == 5
