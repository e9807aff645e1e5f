"""Proofs with hints: a checker that does not search accepts those that a replay finds."""

from __future__ import annotations

import random

import pytest
from pysat.solvers import Solver

from schedsolve.export.hints import hinted_lemmas
from schedsolve.export.refutations import lrat_lines
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.dimacs import dimacs_text
from tests.reference.lrat_checker import refutes


@pytest.mark.parametrize("rebuild_after", [0, 20_000])
@pytest.mark.parametrize("refuting", ["cadical195", "glucose4"])
def test_hints_lead_to_every_lemma(
    monkeypatch: pytest.MonkeyPatch, refuting: str, rebuild_after: int
) -> None:
    """Random formulas refuted by each solver, with repeated literals and clauses that hold anyway; also where
    the deleted clauses are forgotten at once.
    """
    monkeypatch.setattr("schedsolve.certify.propagation.REBUILD_AFTER", rebuild_after)
    generator, refuted, numbers = random.Random(25), 0, 0
    for _ in range(60):
        n = generator.randint(1, 40)
        clauses = [
            [v * generator.choice((1, -1)) for v in generator.choices(range(1, n + 1), k=3)]
            for _ in range(6 * n)
        ]
        with Solver(name=refuting, bootstrap_with=clauses, with_proof=True) as solver:
            if solver.solve():
                continue
            proof = solver.get_proof()
        lemmas = hinted_lemmas(clauses, n, proof)
        assert refutes(dimacs_text(Cnf(n, clauses)), "\n".join(lrat_lines(lemmas)))
        refuted += 1
        numbers += len(lemmas)
    assert refuted > 20
    assert numbers > 15 * refuted


def test_the_smallest_refutations() -> None:
    """A clause with no literal; two units; a lemma that the last one does not rest on is left out."""
    assert [(lemma.clause, lemma.hints) for lemma in hinted_lemmas([[1], []], 1, [])] == [((), (2,))]
    assert [lemma.hints for lemma in hinted_lemmas([[1], [-1]], 1, ["0"])] == [(1, 2)]
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2], [3, 4, 5], [3, 4, -5]]
    lemmas = hinted_lemmas(square, 5, ["3 4 0", "1 0"])
    assert [lemma.clause for lemma in lemmas] in ([(1,), (2,), ()], [(1,), (-2,), ()])
