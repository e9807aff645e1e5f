"""Every lower bound by itself: its value where its premises hold, and nothing where they do not."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from schedsolve.backends.sat import decide
from schedsolve.models.matching.claims.formula import rounds_formula
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS, cycle_gossip, growth_rounds
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from tests.models.matching.problems import MODES, posed

PAW = Network(4, ((0, 1), (0, 2), (1, 2), (2, 3)))
"""A triangle with a leaf: as many edges as nodes, and no cycle."""
LASSO = Network(6, ((0, 1), (0, 4), (0, 5), (1, 2), (2, 3), (3, 4)))
RING = Network(5, ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)), directed=True)
LEAVES = Network(4, ((0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (2, 0), (3, 0)), directed=True)
"""Three neighbours, though some arcs go one way."""
Values = dict[str, int]

GOSSIPS: list[tuple[str, str | Network, Values]] = [
    ("telegraph", "path:1", {"golden-ratio": 0, "tree-gossip": 0}),
    (
        "telegraph",
        "path:2",
        {"golden-ratio": 2, "knowledge-sizes": 2, "tree-gossip": 2},
    ),
    ("telegraph", "path:5", {"golden-ratio": 4, "knowledge-sizes": 5, "tree-gossip": 6}),
    (
        "telegraph",
        "cycle:3",
        {"golden-ratio": 3, "knowledge-sizes": 4, "cycle-gossip": 4},
    ),
    ("telegraph", "cycle:6", {"golden-ratio": 4, "knowledge-sizes": 5, "cycle-gossip": 6}),
    ("telegraph", "cycle:9", {"golden-ratio": 5, "knowledge-sizes": 6, "cycle-gossip": 9}),
    ("telegraph", "complete:5", {"golden-ratio": 4, "knowledge-sizes": 5}),
    ("telegraph", PAW, {"golden-ratio": 3, "knowledge-sizes": 4}),
    ("telegraph", LASSO, {"golden-ratio": 4, "knowledge-sizes": 5}),
    ("telegraph", RING, {"golden-ratio": 4, "knowledge-sizes": 5}),
    ("telegraph", LEAVES, {"golden-ratio": 3, "knowledge-sizes": 4}),
    ("telegraph", "star:5", {"golden-ratio": 4, "knowledge-sizes": 5, "tree-gossip": 8}),
    ("telephone", "path:1", {"tree-gossip": 0}),
    ("telephone", "path:2", {"tree-gossip": 1}),
    ("telephone", "path:5", {"odd-order": 4, "tree-gossip": 5}),
    ("telephone", "cycle:3", {"odd-order": 3, "cycle-gossip": 3}),
    ("telephone", "cycle:4", {"cycle-gossip": 2}),
    ("telephone", "cycle:7", {"odd-order": 4, "cycle-gossip": 5}),
    ("telephone", "complete:6", {}),
    ("telephone", PAW, {}),
    ("telephone", LASSO, {}),
]
COUNTED = ("distance", "degree-growth")


@pytest.mark.parametrize(("model", "network", "values"), GOSSIPS)
def test_bounds_of_gossips(model: str, network: str | Network, values: Values) -> None:
    """Beside the two that hold for all: the others just where they are proven."""
    problem = posed(model, "gossip", network)
    for bound in LOWER_BOUNDS:
        if bound.name not in COUNTED:
            assert bound.compute(problem) == values.get(bound.name), bound.name


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize(
    ("network", "values"),
    [
        ("path:1", (0, 0)),
        ("path:5", (4, 3)),
        ("star:5", (2, 3)),
        ("cycle:9", (4, 5)),
        (RING, (4, 4)),
    ],
)
def test_a_gossip_contains_broadcasts(model: str, network: str | Network, values: tuple[int, ...]) -> None:
    """What counting says of a broadcast from the node that takes longest."""
    if isinstance(network, str) or model == "telegraph":
        problem = posed(model, "gossip", network)
        assert {b.name: b.compute(problem) for b in LOWER_BOUNDS[:2]} == dict(
            zip(COUNTED, values, strict=True)
        )


ONE_MESSAGE: list[tuple[str, str | Network, dict[str, Any], tuple[int, ...]]] = [
    ("broadcast", "path:5", {"source": 0}, (4, 3, 4)),
    ("broadcast", "path:5", {"source": "min"}, (2, 3, 3)),
    ("broadcast", "path:5", {"source": "max"}, (4, 3, 4)),
    ("broadcast", "path:5", {"source": [1, 4]}, (1, 2)),
    ("broadcast", "star:5", {"source": 1}, (2, 3, 4)),
    ("broadcast", "star:5", {"source": "min"}, (1, 3, 4)),
    ("broadcast", "cycle:9", {"source": 0}, (4, 5)),
    ("broadcast", "complete:6", {"source": "min"}, (1, 3)),
    ("broadcast", RING, {"source": 0}, (4, 4)),
    ("broadcast", LASSO, {"source": [5, 2]}, (2, 2)),
    ("multicast", "path:5", {"source": 2, "targets": [3, 4]}, (2, 2, 2)),
    ("multicast", "star:5", {"source": 0, "targets": [1, 2]}, (1, 2, 2)),
    ("accumulation", "path:5", {"root": 1}, (3, 3, 3)),
    ("accumulation", RING, {"root": 0}, (4, 4)),
]


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize(("task", "network", "options", "values"), ONE_MESSAGE)
def test_bounds_of_one_message(
    model: str, task: str, network: str | Network, options: dict[str, Any], values: tuple[int, ...]
) -> None:
    """The two that hold for all, and that of a tree from one source; none that are for gossips."""
    if isinstance(network, Network) and network.directed and model == "telephone":
        return
    problem = posed(model, task, network, **options)
    expected = dict(zip((*COUNTED, "tree-broadcast"), values, strict=False))
    assert {b.name: v for b in LOWER_BOUNDS if (v := b.compute(problem)) is not None} == expected


def test_cycles_of_all_sizes() -> None:
    """As the theorem has them: the root is rounded up, its square taken in place of it."""
    for n in range(3, 60):
        one_way, two_way = (cycle_gossip(posed(model, "gossip", f"cycle:{n}")) for model in MODES)
        root = next(k for k in range(n + 1) if k * k >= 2 * n - Fraction(n % 2, 2))
        assert two_way == (Fraction(n + 3, 2) if n % 2 else Fraction(n, 2))
        assert one_way == Fraction(n + n % 2, 2) + root - 1


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8])
def test_no_cycle_is_faster(n: int) -> None:
    """One-way, a round less has no schedule, by the plain formula; in so many rounds there is one."""
    problem = posed("telegraph", "gossip", f"cycle:{n}")
    bound = cycle_gossip(problem)
    assert bound is not None
    answers = [decide(rounds_formula(problem, rounds).cnf, 60.0)[0] for rounds in (bound - 1, bound)]
    assert answers == [False, True]


def test_what_is_no_cycle() -> None:
    """Two arcs out of every node, on a directed network; and a broadcast."""
    chords = Network(5, tuple((v, (v + d) % 5) for v in range(5) for d in (1, 2)), directed=True)
    assert cycle_gossip(posed("telegraph", "gossip", chords)) is None
    assert cycle_gossip(posed("telegraph", "broadcast", "cycle:5", source=0)) is None


def test_a_bound_that_says_nothing_is_no_claim() -> None:
    """Its name in a file is refused where its premises do not hold."""
    problem = posed("telephone", "broadcast", "cycle:6", source=0)
    said = {bound.name for bound in LOWER_BOUNDS if bound.name not in COUNTED}
    for bound in LOWER_BOUNDS:
        if bound.name in said:
            with pytest.raises(ClaimError, match=f"premises of '{bound.name}'"):
                bound.claim(problem, {})


def test_growth_that_ends() -> None:
    """Without relays the sources make their calls, and no more are informed."""
    assert growth_rounds(1, 4, 3, 0) == 3
    assert growth_rounds(1, 5, 3, 0) is None
    assert growth_rounds(1, 2, 0, 1) is None
    assert growth_rounds(2, 2, 1, 1) == 0
    assert growth_rounds(1, 8, 2, 1) == 4


def test_growth_by_following_every_node() -> None:
    """Nodes that are listed one by one, each with the calls that it has left."""
    for sources, first, relay in product((1, 2, 3), (1, 2, 3, 4), (-1, 0, 1, 2, 3)):
        left = [first] * sources
        for t in range(1, 7):
            callers = [i for i, calls in enumerate(left) if calls > 0]
            for i in callers:
                left[i] -= 1
            left += [relay] * len(callers)
            if callers:
                assert growth_rounds(sources, len(left), first, relay) == t
                assert growth_rounds(sources, len(left) - len(callers) + 1, first, relay) == t
            else:
                assert growth_rounds(sources, len(left) + 1, first, relay) is None


def test_growth_never_says_less_than_doubling() -> None:
    """That the informed nodes at most double in a round, which files of 0.2.0 hold as `doubling`."""
    for sources in range(1, 6):
        for wanted in range(sources, 40):
            doubled = next(t for t in range(10) if sources << t >= wanted)
            for first in range(1, 7):
                for relay in (first - 1, first):
                    grown = growth_rounds(sources, wanted, first, relay)
                    assert grown is None or grown >= doubled
