"""The plain formulas against brute force: a composition of the rounds has a model just when it does."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from schedsolve import Network, build_problem
from schedsolve.backends.sat import decide
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.claims.compositions import (
    composition_formula,
    compositions,
    joined,
    joined_proof,
    refutation_fields,
    refuted_formula,
    remaining,
    unlimited_formula,
)
from schedsolve.models.synchronous.claims.formula import StepsFormula, steps_formula
from schedsolve.models.synchronous.claims.hops import routes
from schedsolve.models.synchronous.rules import replay
from schedsolve.models.synchronous.rules.collective import collective_of
from schedsolve.runtime.errors import ClaimError, InputError
from tests.reference.reduction_search import least_rounds
from tests.reference.synchronous_search import feasible

WIDTHS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2))


def satisfiable(cnf: Cnf) -> bool:
    """Whether a formula has a model."""
    answer, _ = decide(cnf, 60)
    assert answer is not None
    return answer


def suffice(problem: Problem, rounds: int) -> bool:
    """Whether some composition has a model; its schedule is legal and complete."""
    found = False
    for lengths in compositions(rounds, problem.parameters["steps"]):
        formula = composition_formula(problem, lengths)
        answer, model = decide(formula.cnf, 60)
        if answer:
            schedule = formula.schedule(model)
            assert [step.rounds for step in schedule.steps] == list(lengths)
            assert replay(problem, schedule).violation is None
        found = found or bool(answer)
    evidence = {"kind": "refutation", "rounds": rounds}
    if problem.task not in ("reduce", "reduce-scatter") or "ordered" in problem.parameters:
        value, cnf = refuted_formula(problem, evidence)
        assert value == Fraction(rounds + 1, problem.parameters["chunks"])
        assert satisfiable(cnf) == found
    return found


def drawn(
    random: Random, tasks: list[str], nodes: int, steps: int
) -> Iterator[tuple[Network, str, int, int]]:
    """Networks of links with bandwidths, a task, chunks and steps."""
    pairs = [(u, v) for u, v in product(range(nodes), repeat=2) if u != v]
    while True:
        links = tuple(pair for pair in pairs if random.random() < 0.8)
        network = Network(nodes, links, True, bandwidths=tuple(random.choice(WIDTHS) for _ in links))
        yield network, random.choice(tasks), random.randint(1, 2), random.randint(1, steps)


def test_contributions() -> None:
    """Ordered reductions, and allreduces in any order: the least rounds, and one less."""
    random, decided = Random(3), 0
    for network, task, most, steps in drawn(random, ["reduce", "reduce-scatter", "allreduce"], 3, 3):
        chunks = 1 if task == "reduce-scatter" else most
        ordered: dict[str, Any] = {"ordered": True} if task != "allreduce" or random.random() < 0.5 else {}
        try:
            more = {"root": random.randrange(3)} if task == "reduce" else {}
            parameters = {"chunks": chunks, "steps": steps, **ordered, **more}
            problem = build_problem("synchronous", task, network, parameters)
        except InputError:
            continue
        links = network.arcs
        widths = [network.bandwidth_of[link] for link in links]
        least = least_rounds(task, 3, links, chunks, steps, more.get("root", 0), bool(ordered), widths)
        assert satisfiable(unlimited_formula(problem).cnf) == (least is not None)
        for rounds in (steps + 1,) if least is None else (least, least - 1):
            if rounds >= steps:
                decided += 1
                assert suffice(problem, rounds) == (least is not None and rounds >= least), problem
        if decided > 30:
            break


def test_copies() -> None:
    """Copying tasks, bandwidths of whole numbers: just what brute force finds."""
    random, decided = Random(4), 0
    tasks = ["allgather", "broadcast", "gather", "scatter", "alltoall"]
    for network, task, chunks, steps in drawn(random, tasks, 3, 3):
        end = {"broadcast": "source", "scatter": "source", "gather": "root"}.get(task)
        parameters = {"chunks": chunks, "steps": steps, **({} if end is None else {end: 0})}
        whole = {link: int(b) or 1 for link, b in network.bandwidth_of.items()}
        counted = Network(3, tuple(whole), True, bandwidths=tuple(whole.values()))
        try:
            problem = build_problem("synchronous", task, counted, parameters)
        except InputError:
            continue
        for rounds in range(steps, steps + 3):
            decided += 1
            expected = feasible(task, 3, whole, chunks, steps, rounds)
            assert suffice(problem, rounds) == expected, (counted.edges, task, chunks, steps, rounds)
        if decided > 60:
            break


def test_half_a_chunk_a_round() -> None:
    """A link of bandwidth 1/2 carries nothing in one round, and one chunk in two and in three."""
    network = Network(2, ((0, 1),), bandwidths=(Fraction(1, 2),))
    for task, more in (("broadcast", {}), ("reduce", {"ordered": True, "root": 0}), ("allreduce", {})):
        for chunks, least in ((1, 2), (2, 4)):
            problem = build_problem("synchronous", task, network, {"steps": 1, "chunks": chunks, **more})
            assert [suffice(problem, rounds) for rounds in (least - 1, least)] == [False, True]


def test_too_few_steps() -> None:
    """A destination that is too far away makes the formula false, and nobody sends to the origin."""
    path = Network.from_spec("path:4")
    for steps, answer in ((2, False), (3, True)):
        problem = build_problem("synchronous", "broadcast", path, {"steps": steps, "chunks": 1})
        formula = composition_formula(problem, [1] * steps)
        assert isinstance(formula, StepsFormula)
        assert satisfiable(formula.cnf) == answer
        assert {formula.routes[i].receiver for _, i, _ in formula.sent} <= {1, 2, 3}
    # Held: by node v from step v on; sent: onwards from the step after that, and in step 3 back from 2 to 1.
    assert len(formula.sent) == (3 + 2 + 1) + 1
    assert formula.cnf.variable_count == (4 + 3 + 2 + 1) + len(formula.sent)


def test_chunks_of_orbits() -> None:
    """Two nodes on each of two leaves change places: links between the leaves carry each chunk and its
    image.
    """
    network = Network.from_spec("leaf-spine:2,2,1")
    turned = tuple({0: 1, 1: 0, 2: 3, 3: 2}.get(v, v) for v in range(network.node_count))
    group = (tuple(range(network.node_count)), turned)
    problem = build_problem("synchronous", "alltoall", network, {"steps": 1, "chunks": 1})
    for rounds in (3, 4):
        formula = steps_formula(collective_of(problem), routes(network), (rounds,), 1, group)
        answer, model = decide(formula.cnf, 60)
        assert answer == (rounds == 4)
        assert not answer or replay(problem, formula.schedule(model)).violation is None


def test_compositions() -> None:
    """All ways to write the rounds as a sum, and no more than are gone through."""
    assert list(compositions(4, 2)) == [(1, 3), (2, 2), (3, 1)]
    assert list(compositions(3, 3)) == [(1, 1, 1)]
    assert list(compositions(5, 1)) == [(5,)]
    assert list(compositions(2, 3)) == []
    # What the links take in is compared with what all chunks pay: as much is enough.
    terms = [(Fraction(2), (Fraction(1), Fraction(1, 2)))]
    assert remaining(4, 2, 1, terms) == [(1, 3), (2, 2), (3, 1)]
    assert remaining(4, 2, 2, terms) == []
    assert remaining(5, 2, 2, terms) == [(3, 2), (4, 1)]
    assert remaining(7, 2, 3, terms) == [(5, 2), (6, 1)]
    for rounds, steps in ((102, 3), (5002, 2), (10**9, 2), (10**9, 10_000)):
        with pytest.raises(ClaimError, match="more than 5000 compositions"):
            remaining(rounds, steps, 1, [])
    assert len(remaining(101, 3, 1, [])) == 4950
    assert len(remaining(5001, 2, 1, [])) == 5000
    # One step has all rounds, however many: none of them is listed.
    assert remaining(10**9, 1, 1, []) == [(10**9,)]


def test_joined_formulas() -> None:
    """One formula holds when a part does; none of no parts."""
    true, false = Cnf(1, [[1]]), Cnf(2, [[1, 2], [-1], [-2]])
    assert satisfiable(joined([false, true, false]))
    assert not satisfiable(joined([false, false]))
    assert not satisfiable(joined([]))
    assert joined([]).clauses == [[]]
    proof = joined_proof([2, 2], [["d 1 2 0", "0"], ["2 0", "0"]])
    assert proof == ["d 3 4 -1 0", "-1 0", "-1 0", "6 -2 0", "-2 0", "-2 0"]


TRIANGLE = Network.from_spec("cycle:3")


@pytest.mark.parametrize(
    ("parameters", "evidence"),
    [
        ({}, {"rounds": 2}),
        ({"chunks": 1}, {}),
        ({"chunks": 1}, {"rounds": 1}),
        ({"chunks": 1}, {"rounds": True}),
        ({"chunks": 1}, {"rounds": "2"}),
        ({"chunks": 1}, {"rounds": 2.0}),
        ({"chunks": 1}, {"rounds": 10**9 + 1}),
        ({"chunks": 1}, {"rounds": 2, "prices": {}}),
    ],
)
def test_refutations_that_say_too_little(parameters: dict[str, Any], evidence: dict[str, Any]) -> None:
    """How many rounds of how many chunks they refute, and prices in a list."""
    for task in ("allgather", "reduce-scatter"):
        problem = build_problem("synchronous", task, TRIANGLE, {"steps": 2, **parameters})
        with pytest.raises(ClaimError, match="says how many rounds it refutes"):
            refuted_formula(problem, evidence)


@pytest.mark.parametrize("task", ["broadcast", "allreduce"])
def test_a_step_of_a_milliard_rounds(task: str) -> None:
    """Its formula is as small as that of one round."""
    pair = Network.from_spec("path:2")
    problem = build_problem("synchronous", task, pair, {"steps": 1, "chunks": 1})
    value, cnf = refuted_formula(problem, {"rounds": 10**9})
    assert value == 10**9 + 1
    assert cnf == refuted_formula(problem, {"rounds": 1})[1]


def test_any_rounds_is_true_of_sums() -> None:
    """Anything else, or of copies, is as if it were not there, and refused as a field that nothing reads."""
    evidence = {"rounds": 3, "any_rounds": True}
    counted = {"steps": 2, "chunks": 1}
    copies = build_problem("synchronous", "allgather", TRIANGLE, counted)
    sums = build_problem("synchronous", "allreduce", TRIANGLE, counted)
    assert refuted_formula(copies, evidence)[0] == 4
    assert refuted_formula(sums, {**evidence, "any_rounds": 1})[0] == 4
    assert refuted_formula(sums, {**evidence, "rounds": 2})[0] == 3
    assert "any_rounds" not in refutation_fields(copies, evidence)
    with pytest.raises(ClaimError, match="refutes 2 rounds per chunk"):
        refuted_formula(sums, evidence)


@pytest.mark.parametrize(
    "prices",
    [
        {"kind": "prices", "links": [[0, 1, 1, 1]]},
        {"kind": "tree-prices", "links": [[0, 1, 1, 1]]},
        {"kind": "part", "task": "allgather", "node": 0, "evidence": {"kind": "tree-prices"}},
        {"kind": "part", "task": "reduce", "node": 0, "evidence": {"kind": "distance"}},
        {"kind": "counting"},
        None,
    ],
)
def test_prices_of_an_allreduce_are_of_its_parts(prices: Any) -> None:
    """Others are refused in one line."""
    problem = build_problem("synchronous", "allreduce", TRIANGLE, {"steps": 2, "chunks": 1})
    with pytest.raises(ClaimError) as raised:
        refuted_formula(problem, {"rounds": 2, "prices": [prices]})
    assert "\n" not in str(raised.value)
