"""Which code is mutated, and which mutants are tried."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from random import Random

from tests.mutants.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
SHARED = (
    "schedsolve/modelkit/form.py",
    "schedsolve/modelkit/knowledge.py",
    "schedsolve/modelkit/refutation.py",
    "schedsolve/modelkit/theorem_bounds.py",
    "schedsolve/network/automorphisms.py",
    "schedsolve/network/bandwidths.py",
    "schedsolve/network/classes/bipartite.py",
    "schedsolve/network/distances.py",
    "schedsolve/network/graph.py",
    "schedsolve/network/groups.py",
    "schedsolve/network/files/node_link.py",
    "schedsolve/network/orbits.py",
    "schedsolve/modelkit/formulas/cnf.py",
    "schedsolve/modelkit/formulas/cubes.py",
    "schedsolve/modelkit/formulas/flows.py",
    "schedsolve/modelkit/formulas/linear_program.py",
    "schedsolve/modelkit/formulas/proof.py",
    *(f"schedsolve/machines/{name}.py" for name in ("memory", "program_report", "symbolic_run", "symbols")),
)
"""Files outside of the models, of certify/ and of machines/msccl that a check runs."""
NOT_RUN = {"writer.py"}
"""Beside code that checks run: it writes."""
FOLDERS = (
    "schedsolve/certify",
    "schedsolve/experiments/designs",
    "schedsolve/machines/msccl",
    *(f"models/*/{part}" for part in ("rules", "claims")),
)


def files() -> Iterator[str]:
    """The files of which mutants are made."""
    found = {path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.py")}
    found |= {path for part in ("rules", "claims") for path in ROOT.glob(f"models/*/{part}.py")}
    found |= {ROOT / file for file in SHARED if (ROOT / file).exists()}
    yield from sorted(
        path.relative_to(ROOT).as_posix()
        for path in found
        if path.name not in NOT_RUN and path.parent.name != "text"
    )


def sample(seed: int, most: int | None) -> list[Mutant]:
    """So many mutants of every file, or all of them; one of each file after the other, so that a campaign
    that is stopped has tried about as many of each.
    """
    chosen: list[list[Mutant]] = []
    for file in files():
        mutants = mutants_of(file, (ROOT / file).read_text(encoding="utf-8"))
        Random(f"{seed} {file}").shuffle(mutants)
        chosen.append(mutants[:most])
    longest = max(map(len, chosen))
    return [mutants[i] for i in range(longest) for mutants in chosen if i < len(mutants)]


def interval(caught: int, tried: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson 1927)."""
    if not tried:
        return 0.0, 1.0
    z, share = 1.959964, caught / tried
    middle = share + z * z / (2 * tried)
    spread = z * sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    whole = 1 + z * z / tried
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)
