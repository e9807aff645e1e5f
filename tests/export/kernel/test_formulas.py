"""The formulas of the kernel are, clause by clause, those of the models' claims, which are written apart from
them and compared with brute force.
"""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.dimacs import dimacs_text
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import problem_symmetries
from schedsolve.models import model_of
from schedsolve.models.systolic.claims.formula import horizon
from schedsolve.network.automorphisms import automorphisms
from tests.export.kernel.posed import bound_of, posed, problem_of

REFUTED = [
    ("telephone gossip petersen", (0, 1, 3)),
    ("telephone gossip path:1", (0,)),
    ("telegraph gossip kautz:2,2", (2,)),
    ("telephone broadcast grid:2x3 --source 1", (0, 2)),
    ("telegraph broadcast kautz:2,2 --source 1", (2,)),
    ("telegraph multicast grid:2x3 --source 0 --targets 4,2", (2,)),
    ("telegraph accumulation kautz:2,2 --root 3", (3,)),
    ("telephone broadcast cycle:6 --source min", (2,)),
    ("telegraph gossip path:5 --period 4", (7,)),
    ("telephone gossip tree:2,2 --period 4", (5,)),
    ("telegraph gossip cycle:5 --period 3", (5,)),
    ("telephone gossip cycle:5 --period 3", (4,)),
    ("telegraph broadcast cycle:7 --source 0 --period 2", (4,)),
    ("telephone accumulation grid:2x3 --root 2 --period 3", (4,)),
    ("line broadcast grid:2x3 --source 0", (1, 2)),
    ("line broadcast cycle:5 --source min --ports 1", (2,)),
    ("line accumulation kautz:2,2 --root 0 --ports 2", (1,)),
    ("line gossip cycle:5", (1, 2)),
    ("line gossip star:5 --ports 2", (2,)),
    ("line gossip star:5 --ports 3", (1,)),
    ("fat-tree broadcast fat-tree:8", (6, 8)),
    ("fat-tree broadcast fat-tree:8 --capacity log", (7,)),
    ("fat-tree broadcast fat-tree:16 --capacity sqrt --timing rounds", (12,)),
    ("fat-tree prefix fat-tree:8 --timing rounds", (9, 10)),
]


def refutation_of(problem: Problem, rounds: int, **more: Any) -> tuple[Any, Cnf, dict[str, Any]]:
    """The bound that a refutation would prove, its formula and its evidence but for the proof."""
    symmetries = (
        problem_symmetries(problem, 1)[:3]
        if rounds and problem.model in ("telephone", "telegraph", "line")
        else ()
    )
    evidence = {
        "kind": "refutation",
        "rounds": rounds,
        "symmetries": [list(s) for s in symmetries],
        "formula": "broadcast",
        **more,
    }
    return *model_of(problem).refutation(problem, evidence), evidence


def same_formula(problem: Problem, rounds: int, **more: Any) -> None:
    """Assert that the kernel's formula is the claims', so that only a proof is missing."""
    bound, cnf, evidence = refutation_of(problem, rounds, **more)
    files = {"formula.cnf": dimacs_text(cnf), "proof.lrat": ""}
    with pytest.raises(WrongError, match="ends without the empty clause"):
        bound_of(posed(problem), evidence, bound, files)
    changed = Cnf(cnf.variable_count, [*cnf.clauses[:-1], [*cnf.clauses[-1], 1]])
    with pytest.raises(WrongError, match="clause"):
        bound_of(posed(problem), evidence, bound, {**files, "formula.cnf": dimacs_text(changed)})


@pytest.mark.parametrize(("line", "rounds"), REFUTED, ids=[line for line, _ in REFUTED])
def test_it_is_that_of_the_claims(line: str, rounds: tuple[int, ...]) -> None:
    """For every model, task, mode and option, symmetries broken or not."""
    for number in rounds:
        same_formula(problem_of(line), number)


@pytest.mark.parametrize("line", [
    "telephone gossip star:5 --period 3",
    "telegraph gossip cycle:4 --period 2",
    "telegraph broadcast star:6 --source 0 --period 2",
    "telephone broadcast star:6 --source min --period 2",
])  # fmt: skip
def test_what_no_number_of_rounds_does(line: str) -> None:
    """At the horizon the formula says that a period's calls connect, and that they do not is no number."""
    problem = problem_of(line)
    same_formula(problem, horizon(problem))


def test_edge_colourings() -> None:
    """Each link once in a period."""
    for line, rounds in (
        ("telegraph gossip cycle:4 --period 4", 4),
        ("telephone gossip cycle:5 --period 3", 4),
    ):
        same_formula(problem_of(line).with_parameters(edge_colouring=True), rounds)


@pytest.mark.parametrize("name", ["cycle:5", "complete:4", "kautz:2,1", "grid:2x3"])
def test_origins_and_destinations(name: str) -> None:
    """With orbits of pairs, and images of the rounds between."""
    problem = problem_of(f"telegraph gossip {name}")
    images = [list(image) for image in automorphisms(problem.network)[:4]]
    for rounds in (2, 4):
        same_formula(problem, rounds, premise="origins and destinations", symmetries=images, keeping=images)
    same_formula(problem, 3, premise="origins and destinations", symmetries=[], keeping=[])


def test_symmetries_are_tested() -> None:
    """What is no automorphism breaks no symmetry, and neither does one that moves the source."""
    for line, image in (
        ("telephone gossip path:4", [1, 0, 2, 3]),
        ("telephone broadcast cycle:4 --source 0", [1, 2, 3, 0]),
    ):
        evidence = {"kind": "refutation", "rounds": 1, "symmetries": [image]}
        with pytest.raises(WrongError, match="symmetry"):
            bound_of(posed(problem_of(line)), evidence, 2, {})
