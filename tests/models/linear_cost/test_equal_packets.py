"""Protocols of equal packets, against all protocols of a few packets in tiny networks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from pysat.solvers import Solver

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Question
from schedsolve.models import build_problem, replay
from schedsolve.models.linear_cost.search.equal_packets import (
    EqualPackets,
    equal_packets_search,
    too_many_arcs,
)

State = tuple[int, ...]


def rounds_needed(problem: Problem, packets: int) -> int:
    """The least rounds in which so many packets get to all nodes, one a message, by going through all
    states: what every node owns, as bits.
    """
    full = (1 << packets) - 1
    start = tuple(full if v in problem.sources else 0 for v in range(problem.network.node_count))
    seen, level, rounds = {start}, [start], 0
    while not any(all(owned == full for owned in state) for state in level):
        level = list({after for state in level for after in following(problem, state)} - seen)
        seen |= set(level)
        rounds += 1
    return rounds


def following(problem: Problem, state: State) -> Iterator[State]:
    """All states after a round."""
    network, ports = problem.network, problem.parameters["ports"]
    weak = bool(problem.parameters.get("weak_ports"))
    arcs = list(network.arcs)
    options = [[0, *bits(state[u] & ~state[v])] for u, v in arcs]
    for choice in product(*options):
        used = {arc for arc, packet in zip(arcs, choice, strict=True) if packet}
        sides = [used] if weak else [{arc for u, v in used for arc in ((u, v), (v, u))}]
        if all(
            sum(u == w for u, _ in links) <= ports and sum(v == w for _, v in links) <= ports
            for links in sides
            for w in range(network.node_count)
        ):
            after = list(state)
            for (_, v), packet in zip(arcs, choice, strict=True):
                after[v] |= packet
            yield tuple(after)


def bits(owned: int) -> list[int]:
    """The packets in a mask, each as a mask."""
    return [1 << p for p in range(owned.bit_length()) if owned >> p & 1]


@pytest.mark.parametrize("network", ["path:3", "star:4", "complete:3", "cycle:4"])
@pytest.mark.parametrize("more", [{"ports": 1}, {"ports": 2}, {"ports": 1, "weak_ports": True}])
def test_the_least_rounds(network: str, more: dict[str, int]) -> None:
    """The formula has a model from the least number of rounds on, and its protocol is legal."""
    problem = build_problem("linear-cost", "broadcast", network, {"total_rounds": 12, **more})
    for packets in (1, 2):
        least = rounds_needed(problem, packets)
        for rounds in (least - 1, least):
            protocol = EqualPackets(problem, packets, rounds)
            protocol.write()
            with Solver(bootstrap_with=protocol.cnf.clauses) as solver:
                assert solver.solve() is (rounds == least)
                true = set(solver.get_model() or ())
        seen = replay(problem, protocol.schedule(true))
        assert (seen.violation, seen.value) == (None, Fraction(least, packets))


@pytest.mark.parametrize(
    ("network", "options", "value"),
    [
        ("complete:10", {"ports": 2, "extra_rounds": 1}, Fraction(1)),
        ("grid:4x4", {"ports": 1, "extra_rounds": 10}, Fraction(16, 11)),
        ("cycle:6", {"ports": 2, "extra_rounds": 4}, Fraction(7, 10)),
    ],
)
def test_what_was_open(network: str, options: dict[str, int], value: Fraction) -> None:
    """Values that other searches miss, or take long for; nothing below the lower bound is tried."""
    problem = build_problem("linear-cost", "broadcast", network, options)
    assert too_many_arcs(problem) is None
    findings = equal_packets_search(Question(problem, value, best=3))
    found = [finding for finding in findings if isinstance(finding, tuple)]
    seen = [replay(*finding) for finding in found]
    assert [each.violation for each in seen] == [None] * len(seen)
    assert min(each.value for each in seen) == value


def test_large_networks_are_left_alone() -> None:
    """Their formula is not written."""
    problem = build_problem("linear-cost", "broadcast", "complete:100", {"extra_rounds": 10})
    assert too_many_arcs(problem) == "the formula of equal packets would be too large"
