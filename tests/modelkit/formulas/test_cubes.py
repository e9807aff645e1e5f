"""Formulas split into cubes: the proofs of all cubes join into one of the formula, and of fewer do not."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from pysat.solvers import Solver

from schedsolve.backends import lookahead
from schedsolve.backends.lookahead import split
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.certify.propagation import replay_refutation
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.cubes import (
    Cube,
    CubeOutcome,
    Part,
    closing_order,
    joined_proof,
    outcome_from_json,
    outcome_to_json,
    proofs_by_cube,
)
from schedsolve.modelkit.formulas.dimacs import dimacs_text
from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import ClaimError
from tests.needs import needs
from tests.reference.lrat_checker import refutes


def no_schedule(_: set[int]) -> tuple[Problem, Schedule]:
    """What a model would be; there is none."""
    raise AssertionError


def question(clauses: list[list[int]], variables: int) -> SatQuestion:
    """A bare formula as a question."""
    return SatQuestion(Cnf(variables, clauses), [], no_schedule)


def pigeons(holes: int) -> SatQuestion:
    """One pigeon more than holes, each in a hole, no two in the same."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    crowd = range(holes + 1)
    clauses = [[sits(p, h) for h in range(holes)] for p in crowd]
    clauses += [[-sits(p, h), -sits(q, h)] for h in range(holes) for p, q in combinations(crowd, 2)]
    return question(clauses, holes * (holes + 1))


def proofs_of(asked: SatQuestion, number: int) -> dict[Cube, list[str]] | None:
    """The proofs of about so many cubes of a formula; None when it has a model."""
    proofs = {}
    for part in split(asked, (), number):
        search = SatSearch(lambda: asked, with_proof=True)
        search.hold(part.cube)
        answer = search.advance(60)
        lines = search.proof()
        search.close()
        if answer:
            assert not part.closed
            return None
        assert lines is not None
        proofs[part.cube] = [] if part.closed else lines
    return proofs


def replayed(asked: SatQuestion, lines: list[str]) -> int:
    """The lemmas of a proof that the checker accepts."""
    return replay_refutation(asked.cnf.clauses, asked.cnf.variable_count, lines)


@needs("export")
@pytest.mark.parametrize("number", [1, 2, 7, 30])
def test_joined_proofs_are_proofs(number: int) -> None:
    """Into however many cubes a formula is split, the joined proof refutes it, for the checker and, with
    hints, for another.
    """
    from schedsolve.export.hints import hinted_lemmas
    from schedsolve.export.refutations import lrat_lines

    asked = pigeons(5)
    proofs = proofs_of(asked, number)
    assert proofs is not None
    assert len(proofs) >= number
    lines = list(joined_proof(proofs))
    assert replayed(asked, lines) > 10
    hinted = lrat_lines(hinted_lemmas(asked.cnf.clauses, asked.cnf.variable_count, lines))
    assert refutes(dimacs_text(asked.cnf), "\n".join(hinted))


def test_split_by_some_variables_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are given in every part, in whatever order they come; fewer where there would be too many
    parts. The proofs join.
    """
    asked, first = pigeons(4), [3, 17, 8, 1]
    for most, all_given in ((5000, True), (4, False)):
        monkeypatch.setattr(lookahead, "MOST_FIRST_PARTS", most)
        parted = replace(asked, split_first=first)
        parts = split(parted, (), 1)
        with Solver(name="minisat22", bootstrap_with=asked.cnf.clauses) as solver:
            trails = [solver.propagate(assumptions=list(p.cube))[1] for p in parts if not p.closed]
        assert all(set(first) <= set(map(abs, trail)) for trail in trails) == all_given
        assert all(abs(literal) in first for part in parts for literal in part.cube)
        proofs = proofs_of(parted, 1)
        assert proofs is not None
        assert len(proofs) == len(parts)
        assert replayed(asked, list(joined_proof(proofs))) > 5
        assert len(split(parted, (), 20)) >= 20


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_counting_literals(most: int) -> None:
    """Of all assignments to four variables, one of them negated: variable k holds just when k literals do."""
    cnf = Cnf(4)
    literals = [1, -2, 3, 4]
    counted = cnf.counted(literals, most)
    assert len(counted) == min(most, 4)
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        for signs in product((1, -1), repeat=4):
            given = [sign * v for v, sign in enumerate(signs, 1)]
            number = sum(literal in given for literal in literals)
            assert solver.solve(assumptions=given)
            model = solver.get_model()
            assert [k for k, x in enumerate(counted, 1) if x in model] == [*range(1, min(number, most) + 1)]


def test_random_formulas_keep_their_verdict() -> None:
    """A formula has a model exactly when one of its cubes has; else the joined proof goes through, with and
    without its deletions.
    """
    generator, refuted = random.Random(25), 0
    for _ in range(40):
        n = generator.randint(3, 30)
        clauses = [
            [v * generator.choice((1, -1)) for v in generator.choices(range(1, n + 1), k=3)]
            for _ in range(5 * n)
        ]
        asked = question(clauses, n)
        whole, parted = proofs_of(asked, 1), proofs_of(asked, generator.randint(2, 12))
        assert (whole is None) == (parted is None)
        if parted is not None:
            lines = list(joined_proof(parted))
            assert replayed(asked, lines) == replayed(asked, [x for x in lines if not x.startswith("d ")])
            refuted += 1
    assert 5 < refuted < 35


def test_what_a_cube_leaves_behind_is_deleted() -> None:
    """Every deletion is of a lemma that is there; in the end there are only those that say that a cube or a
    node does not hold, none of the formula's clauses gone.
    """
    proofs = proofs_of(pigeons(5), 6)
    assert proofs is not None
    alive: list[tuple[int, ...]] = []
    for line in joined_proof(proofs):
        clause = tuple(sorted(map(int, line.removeprefix("d ").split()[:-1])))
        if line.startswith("d "):
            alive.remove(clause)
        else:
            alive.append(clause)
    denials = [tuple(sorted(-x for x in cube)) for cube in closing_order(proofs.keys())]
    assert sorted(set(alive)) == sorted(set(denials))


def test_a_cube_left_out_is_refused() -> None:
    """Whichever it is: the cubes are no tree then; and where its refutation is missing from the joined proof,
    its last lemma does not follow.
    """
    asked = pigeons(5)
    proofs = proofs_of(asked, 6)
    assert proofs is not None
    hard = 0
    for cube, own in proofs.items():
        with pytest.raises(ClaimError, match="not all cases"):
            list(joined_proof({c: lines for c, lines in proofs.items() if c != cube}))
        if own:
            hard += 1
            with pytest.raises(ClaimError, match="does not follow"):
                replayed(asked, list(joined_proof({**proofs, cube: []})))
    assert hard >= 5


@pytest.mark.parametrize(
    "cubes",
    [
        [],
        [(1,)],
        [(1,), (2,)],
        [(1,), (-1,), (1, 2)],
        [(1,), (1, 2), (1, -2), (-1,)],
        [(), (1,), (-1,)],
        [(1,), (-1,), (2,), (-2,)],
        [(1,), (2,), (-3,)],
        [(1, 2), (-1, 3), (-1, -3)],
        [(1,), (-1, 2), (2, -1)],
    ],
)
def test_cubes_that_are_no_tree(cubes: list[Cube]) -> None:
    """A case that no cube covers, or that two do."""
    with pytest.raises(ClaimError, match="not all cases"):
        list(closing_order(cubes))


def test_where_cases_are_missing() -> None:
    """It is said, and a formula need not be split."""
    split: list[tuple[list[Cube], str]] = [
        ([], "where nothing is assumed"),
        ([(1, 2), (1, 3), (-1,)], "where 1 holds"),
    ]
    for cubes, where in split:
        with pytest.raises(ClaimError, match=where):
            list(closing_order(cubes))
    assert list(closing_order([()])) == [()]
    assert list(joined_proof({(): ["1 0", "d 1 0", "d 2 0", "2 0", "0", "3 0"]})) == [
        "1 0",
        "d 1 0",
        "2 0",
        "0",
    ]


def test_only_lemmas_are_deleted() -> None:
    """Those that are there, as often as they are there, and none that the cube's denial says again; neither
    clauses of the formula nor what follows the end.
    """
    lines = ["4 5 0", "4 5 0", "d 5 4 0", "d 4 5 0", "d 4 5 0", "6 -1 0", "d 6 0", "-1 0", "d -1 0", "d 7 0"]
    assert list(joined_proof({(1,): [*lines, "8 0", "0", "9 0"], (-1,): []}))[:-2] == [
        *("4 5 -1 0", "4 5 -1 0", "d 5 4 -1 0", "d 4 5 -1 0"),
        *("6 -1 0", "d 6 -1 0", "-1 0", "8 -1 0", "-1 0", "d 8 -1 0"),
    ]


def test_proofs_in_files() -> None:
    """Each cube has one, which begins with the lemmas that all of them have."""
    own = pack_proof(["3 0", "0"])
    evidence = {"lemmas": [1, -2], "cubes": [{"cube": [5], **own}, {"cube": [-5], **pack_proof(["0"])}]}
    found = proofs_by_cube(evidence)
    assert {cube: list(lines) for cube, lines in found.items()} == {
        (5,): ["1 0", "-2 0", "3 0", "0"],
        (-5,): ["1 0", "-2 0", "0"],
    }
    none: tuple[object, ...] = (None, {}, "cubes", [None], [{"cube": [5], **own}, 7], [[5]])
    for entries in none:
        with pytest.raises(ClaimError, match="the proofs of cubes are a list"):
            proofs_by_cube({"lemmas": [], "cubes": entries})
    with pytest.raises(ClaimError, match="two proofs for one cube"):
        proofs_by_cube({"lemmas": [], "cubes": [{"cube": [5], **own}] * 2})
    assert not Part((1,), 2).closed


def test_nodes_close_behind_their_branches() -> None:
    """The order in which cubes and nodes are denied."""
    tree: Mapping[Cube, list[str]] = {(1, -3): [], (-1,): ["4 0", "0"], (1, 3): ["-1 3 0", "5 6 -3 0"]}
    order = list(closing_order(tree.keys()))
    assert order == [(1, 3), (1, -3), (1,), (-1,), ()]
    assert list(joined_proof(tree)) == [
        # -1 3: true in the cube, says nothing; -3 is in the denial anyway.
        "5 6 -1 -3 0",
        "-1 -3 0",
        "d 5 6 -1 -3 0",
        "-1 3 0",
        "-1 0",
        "4 1 0",
        "1 0",
        "d 4 1 0",
        "0",
    ]
    assert all(a != b for a, b in pairwise(order))


def test_fates_as_json() -> None:
    """There and back; whatever an altered store has in their place is none of a cube."""
    split_cube = CubeOutcome((Part((3, 1, -2), 7), Part((3, 1, 2), 0), Part((3, -1), 0, True)))
    for outcome in (CubeOutcome(), CubeOutcome(proof={"proof": "x", "sha256": "y"}), split_cube):
        assert outcome_from_json(outcome_to_json(outcome), (3,)) == outcome
    parts = outcome_to_json(split_cube)["parts"]
    for altered in (parts[:2], [[[3], 0, False]], [*parts, parts[0]], [[["3"], 0, False]] * 2, [1], None):
        with pytest.raises(ClaimError):
            outcome_from_json({"parts": altered, "proof": None}, (3,))
    others: tuple[Any, ...] = ({"parts": []}, {"parts": [], "proof": 1}, {"parts": parts, "proof": None}, 1)
    for data in others:
        with pytest.raises(ClaimError):
            outcome_from_json(data, (1,))
