"""Proofs in the binary format, against PySAT's own reading of them."""

from __future__ import annotations

import random
from itertools import combinations
from typing import NoReturn

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.proof import text_of_binary_proof

LITERALS = st.integers(1, 2**28).flatmap(lambda x: st.sampled_from([x, -x]))


def binary(literal: int) -> bytes:
    """A literal as the format has it."""
    code, groups = 2 * abs(literal) + (literal < 0), []
    while code:
        groups.append(code & 0x7F)
        code >>= 7
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


# A busy machine must not fail this test: it draws many small numbers.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.booleans(), st.lists(LITERALS, max_size=6)), max_size=8))
def test_clauses_come_back(clauses: list[tuple[bool, list[int]]]) -> None:
    """With letters a and d within literals too."""
    data = b"".join(b"ad"[d : d + 1] + b"".join(map(binary, clause)) + b"\0" for d, clause in clauses)
    lines = [" ".join([*(["d"] if d else []), *map(str, clause), "0"]) for d, clause in clauses]
    assert text_of_binary_proof(data) == lines


def _no_model(_: set[int]) -> NoReturn:
    raise AssertionError("the formula has no model")


def test_as_pysat_reads_it() -> None:
    """Pigeons in too few holes, and random clauses."""
    draw = random.Random(1)
    holes = [[5 * p + h + 1 for h in range(5)] for p in range(6)]
    holes += [[-(5 * p + h + 1), -(5 * q + h + 1)] for h in range(5) for p, q in combinations(range(6), 2)]
    mixed = [[draw.choice([-1, 1]) * v for v in draw.sample(range(1, 141), 3)] for _ in range(900)]
    for clauses in (holes, mixed):
        cnf = Cnf(max(abs(x) for clause in clauses for x in clause), clauses)
        question = SatQuestion(cnf, [], _no_model, {"kind": "test"})
        search = SatSearch(lambda: question, with_proof=True)  # noqa: B023
        while search.advance(5.0) is None:
            pass
        lines = search.proof()
        assert lines is not None
        assert lines == search._solver.get_proof()
        assert len(lines) > 20
        with Solver(name="cadical195", bootstrap_with=clauses) as solver:
            assert not solver.solve()
