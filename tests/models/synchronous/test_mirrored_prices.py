"""Prices of a reduction are those of a copying task that runs backwards: what they exclude, step by step."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.models.synchronous.bounds.tree_program import TreeProgram
from schedsolve.models.synchronous.claims.compositions import compositions, is_excluded, terms_of
from schedsolve.models.synchronous.rules.mirror import mirrored
from schedsolve.runtime.errors import InputError
from tests.reference.reduction_search import least_rounds

HALF = Fraction(1, 2)
ORDERED = {"ordered": True}


def agree(network: Network, task: str, chunks: int, steps: int, **more: Any) -> Fraction | None:
    """The solver's value is that of brute force, and its file is verified; the value."""
    root, ordered = more.get("root", 0), "ordered" in more
    links = network.arcs
    widths = [network.bandwidth_of[link] for link in links]
    nodes = len(network.compute_nodes)
    least = least_rounds(task, nodes, links, chunks, steps, root, ordered, widths)
    problem = build_problem("synchronous", task, network, {"chunks": chunks, "steps": steps, **more})
    result = solve(problem, Options(certify=True, time_limit=60))
    expected = None if least is None else Fraction(least, chunks)
    said = (network.edges, network.bandwidths, task, chunks, steps, more)
    assert result.status == ("infeasible" if least is None else "optimal"), said
    assert result.value == expected, said
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.lines
    return expected


def test_a_slow_link_at_the_start() -> None:
    """The slow link of the root's neighbour needs its rounds early, in a reduce as in a reduce-scatter."""
    path = Network(3, ((0, 2), (1, 2)), bandwidths=(HALF, Fraction(3)))
    assert agree(path, "reduce", 2, 3, root=1, **ORDERED) == Fraction(5, 2)
    ring = Network(3, ((0, 1), (1, 0), (1, 2), (2, 0)), True, bandwidths=(1, 1, HALF, 1))
    assert agree(ring, "reduce-scatter", 2, 3, **ORDERED) == Fraction(5, 2)


def drawn(count: int, seed: int) -> Iterator[tuple[Network, str, int, int, dict[str, Any]]]:
    """Problems on three nodes with links of many bandwidths, some of one way only."""
    lots = random.Random(seed)
    pairs = [(u, v) for u, v in product(range(3), repeat=2) if u != v]
    widths = [Fraction(1), Fraction(2), Fraction(3), HALF, Fraction(1, 3), Fraction(2, 3), Fraction(3, 2)]
    while count:
        links = tuple(pair for pair in pairs if lots.random() < 0.75)
        network = Network(3, links, True, bandwidths=tuple(lots.choice(widths) for _ in links))
        task = lots.choice(("reduce", "reduce-scatter", "allreduce"))
        chunks, steps = lots.randint(1, 2 if task == "reduce-scatter" else 3), lots.randint(1, 3)
        more: dict[str, Any] = {"root": lots.randrange(3)} if task == "reduce" else {}
        more |= ORDERED if lots.random() < 0.6 else {}
        try:
            build_problem("synchronous", task, network, {"chunks": chunks, "steps": steps, **more})
        except InputError:
            continue
        count -= 1
        yield network, task, chunks, steps, more


def test_random_problems() -> None:
    """Bandwidths other than 1, up to three chunks and steps, in any order and in that of the nodes."""
    for network, task, chunks, steps, more in drawn(25, seed=11):
        agree(network, task, chunks, steps, **more)


@pytest.mark.slow
def test_many_random_problems() -> None:
    """Two thousand of the same kind."""
    for network, task, chunks, steps, more in drawn(2000, seed=1):
        agree(network, task, chunks, steps, **more)


def prices_of(problem: Problem) -> dict[str, Any]:
    """Prices of the copying task that a reduction mirrors, over all numbers of chunks."""
    program = TreeProgram(mirrored(problem), [tuple(range(problem.network.node_count))])
    for _ in program.solve(10):
        pass
    found = program.flow_bound()
    assert found is not None
    return found.evidence


def test_no_composition_with_a_schedule_is_excluded() -> None:
    """Of a reduce by itself and as a part of an allreduce: the slow link first, the fast one last."""
    path = Network(3, ((0, 2), (1, 2)), bandwidths=(HALF, Fraction(3)))
    counted = {"steps": 3, "chunks": 2}
    reduce = build_problem("synchronous", "reduce", path, {**counted, "root": 1, **ORDERED})
    prices = prices_of(reduce)
    allreduce = build_problem("synchronous", "allreduce", path, counted)
    part = {"kind": "part", "task": "reduce", "node": 1, "evidence": prices}
    for problem, evidence in ((reduce, prices), (allreduce, part)):
        terms = [terms_of(problem, evidence)]
        assert not is_excluded((2, 2, 1), 2, terms)
        assert is_excluded((1, 2, 2), 2, terms)
    forwards = build_problem("synchronous", "broadcast", path.reversed(), {**counted, "source": 1})
    terms = [terms_of(forwards, prices)]
    assert is_excluded((2, 2, 1), 2, terms)
    assert not is_excluded((1, 2, 2), 2, terms)
    assert all(is_excluded(c, 2, terms) for c in compositions(4, 3))
