"""What formulas about calls share: the variables of the calls, lex-leader constraints, and what is read of a
refutation.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from pysat.solvers import Solver

from schedsolve import Network, build_problem
from schedsolve.modelkit import refutation
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    CallsFormula,
    add_larger,
    add_lex_leader,
    affordable,
    break_symmetries,
    moved_links,
    problem_symmetries,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.modelkit.search import Question
from schedsolve.runtime.errors import ClaimError

PATH = Network.from_spec("path:3")
MIRROR = (2, 1, 0)


def posed(task: str, network: Network = PATH, model: str = "telegraph", **parameters: Any) -> Problem:
    return build_problem(model, task, network, parameters)


def formula(rounds: int, *, two_way: bool = False, period: int | None = None) -> CallsFormula:
    """The calls of the path, without clauses."""
    links = PATH.edges if two_way else PATH.arcs
    made = CallsFormula(Cnf(), PATH, links, rounds, period=period)
    made.cnf.variable_count = len(made.call_variables)
    return made


@pytest.mark.parametrize(("period", "slots"), [(None, 3), (1, 1), (2, 2), (3, 3), (5, 3)])
def test_variables_of_calls(period: int | None, slots: int) -> None:
    """From 1, round by round; rounds that are a period apart share theirs."""
    made = formula(3, period=period)
    assert PATH.arcs == ((0, 1), (1, 0), (1, 2), (2, 1))
    assert made.slots == slots
    assert made.call_variables == range(1, 4 * slots + 1)
    for t in (1, 2, 3):
        assert [made.call(a, t) for a in range(4)] == [(t - 1) % slots * 4 + a for a in (1, 2, 3, 4)]
    names = made.names()
    assert list(names) == list(made.call_variables)
    assert (names[1], names[3], names[4 * slots]) == ("call_0_1_t1", "call_1_2_t1", f"call_2_1_t{slots}")
    assert made.calls({1, 4}) == [[(0, 1), (2, 1)] if (t - 1) % slots == 0 else [] for t in (1, 2, 3)]


@pytest.mark.parametrize("conditions", [(), (7,), (7, -8)])
def test_larger(conditions: tuple[int, ...]) -> None:
    """Of all pairs of vectors just those of which the first is the larger one, or equal, where the conditions
    hold; places with one variable for both say nothing.
    """
    cnf = Cnf(8)
    add_larger(cnf, [9], [9], *conditions)
    assert cnf == Cnf(8)
    add_larger(cnf, [1, 2, 9, 3], [4, 5, 9, 6], *conditions)
    with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        for values in product((1, 0), repeat=8):
            held = all(values[abs(c) - 1] == (c > 0) for c in conditions)
            literals = [x if value else -x for x, value in enumerate(values, 1)]
            expected = not held or values[:3] >= values[3:6]
            assert solver.solve(assumptions=literals) == expected, values


def test_links_that_are_moved() -> None:
    """The number of each link's image, in the mode of one way and of two; and of the way back."""
    assert moved_links(formula(1), MIRROR) == [3, 2, 1, 0]
    assert moved_links(formula(1), MIRROR, turned=True) == [2, 3, 0, 1]
    assert moved_links(formula(1), (0, 1, 2), turned=True) == [1, 0, 3, 2]
    assert moved_links(formula(1, two_way=True), MIRROR) == [1, 0]
    assert moved_links(formula(1, two_way=True), MIRROR, turned=True) == [1, 0]
    one_way = Network(3, ((0, 1), (1, 2), (2, 0)), True)
    assert moved_links(CallsFormula(Cnf(), one_way, one_way.arcs, 1), (1, 2, 0)) == [1, 2, 0]


def models(made: CallsFormula) -> set[tuple[int, ...]]:
    """The calls of round 1 and 2 in all models."""
    calls = list(made.call_variables)
    with Solver("minisat22", bootstrap_with=made.cnf.clauses) as solver:
        return {
            values
            for values in product((1, 0), repeat=len(calls))
            if solver.solve(assumptions=[x if value else -x for x, value in zip(calls, values, strict=True)])
        }


def test_lex_leaders() -> None:
    """Of a first round and its image the larger one is left, whatever comes in the second round."""
    made = formula(2, two_way=True)
    add_lex_leader(made, MIRROR)
    assert models(made) == {v for v in product((1, 0), repeat=4) if v[:2] >= (v[1], v[0])}
    through = formula(2, two_way=True)
    break_symmetries(through, posed("gossip", model="telephone"), [MIRROR])
    assert through.cnf.clauses == made.cnf.clauses
    break_symmetries(through, posed("gossip", model="telephone"), [])
    assert through.cnf.clauses == made.cnf.clauses


@pytest.mark.parametrize(
    ("problem", "image", "words"),
    [
        (posed("gossip"), MIRROR, ""),
        (posed("gossip"), (0, 2, 1), "no automorphism"),
        (posed("gossip"), (0, 1), "no automorphism"),
        (posed("broadcast", source=1), MIRROR, ""),
        (posed("broadcast", source=0), MIRROR, "moves a source or a target"),
        (posed("broadcast", source="min"), MIRROR, ""),
        (posed("multicast", source=1, targets="0,2"), MIRROR, ""),
        (posed("multicast", source=1, targets="0"), MIRROR, "moves a source or a target"),
        (posed("multicast", source="0,2", targets="1"), MIRROR, ""),
        (posed("multicast", source="0", targets="1"), MIRROR, "moves a source or a target"),
        (posed("accumulation", root=0), MIRROR, "moves a source or a target"),
    ],
)
def test_symmetries_that_are_broken(problem: Problem, image: tuple[int, ...], words: str) -> None:
    """Automorphisms that map sources to sources and targets to targets; there is a first round to break."""
    made = formula(1)
    if words:
        with pytest.raises(ClaimError, match=words):
            break_symmetries(made, problem, [image])
        assert not made.cnf.clauses
    else:
        break_symmetries(made, problem, [image])
        assert made.cnf.clauses
    with pytest.raises(ClaimError, match="no first round"):
        break_symmetries(formula(0), problem, [image])


def test_rounds_that_are_refuted() -> None:
    """A whole number, 0 or more."""
    assert [refuted_rounds({"rounds": rounds}) for rounds in (0, 1, 10**9)] == [0, 1, 10**9]
    for wrong in ({}, {"rounds": -1}, {"rounds": None}, {"rounds": True}, {"rounds": "1"}, {"rounds": 1.0}):
        with pytest.raises(ClaimError, match="how many rounds"):
            refuted_rounds(wrong)


def test_formulas_that_are_too_large() -> None:
    """Of more than twenty million literals, or of more rounds than are allowed."""
    for literals, rounds, most in ((20_000_000, 9, None), (0, 9, 9), (0, 0, 0)):
        refuse_large_formula(literals, rounds, most)
    for literals, rounds, most in ((20_000_001, 9, None), (20_000_001, 1, 9), (0, 10, 9), (0, 1, 0)):
        with pytest.raises(ClaimError, match=f"the formula for {rounds} rounds is too large"):
            refuse_large_formula(literals, rounds, most)


def test_symmetries_in_evidence() -> None:
    """Lists of numbers, or none at all, by their name."""
    assert used_symmetries({}) == used_symmetries({"symmetries": []}) == []
    assert used_symmetries({"symmetries": [[0, 1], []]}) == [[0, 1], []]
    assert used_symmetries({"symmetries": None, "others": [[1]]}, "others") == [[1]]
    wrong: tuple[Any, ...] = (
        None,
        {},
        "01",
        [None],
        [[0], 1],
        [["0"]],
        [[0, True]],
        [[0], [1.0]],
        [[0, "1"]],
    )
    for symmetries in wrong:
        evidence: Mapping[str, Any] = {"symmetries": symmetries}
        with pytest.raises(ClaimError, match="lists of node numbers"):
            used_symmetries(evidence)


def test_symmetries_of_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that keep sources and targets, fewer where each of them takes many comparisons."""
    assert problem_symmetries(posed("gossip"), 4) == (MIRROR,)
    assert problem_symmetries(posed("gossip"), 0) == (MIRROR,)
    assert problem_symmetries(posed("broadcast", source="min"), 4) == (MIRROR,)
    assert problem_symmetries(posed("broadcast", source=1), 4) == (MIRROR,)
    assert problem_symmetries(posed("broadcast", source=0), 4) == ()
    assert problem_symmetries(posed("multicast", source=1, targets="0"), 4) == ()
    star = posed("gossip", Network.from_spec("star:5"))
    assert len(problem_symmetries(star, 1)) == 23
    assert len(problem_symmetries(star, 1, most=5)) == 5
    monkeypatch.setattr(refutation, "LARGEST_SYMMETRY_PART", 30)
    assert [len(problem_symmetries(star, links)) for links in (1, 10, 15, 30, 31)] == [23, 3, 2, 1, 0]


def test_formulas_that_are_worth_while() -> None:
    """Neither too large, nor longer to write down than there is time."""
    question = Question(posed("gossip"), 3, seconds=2.0)
    for size, fits in ((4_000_000, True), (4_000_001, False)):
        assert affordable(question, size) == fits
    for size, fits in ((100, True), (101, False)):
        assert affordable(question, size, largest=100) == fits
        assert affordable(question, size, literals_a_second=50) == fits
    for size, fits in ((20_000_000, True), (20_000_001, False)):
        assert affordable(Question(posed("gossip"), 3), size) == fits
