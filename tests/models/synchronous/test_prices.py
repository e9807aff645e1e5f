"""What prices prove, by hand, and what is refused of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.claims.prices import price_bound, price_terms, tree_price_bound
from schedsolve.runtime.errors import ClaimError

HALF, HALF_TEXT = Fraction(1, 2), "1/2"
PATH = Network.from_spec("path:3")
STAR = Network.from_spec("star:3")
FORK = Network(4, ((0, 3), (1, 3), (2, 3)), bandwidths=(2, 1, 1), switches=frozenset({3}))
"""Three compute nodes on a switch."""


def posed(task: str, network: Network, steps: int, **parameters: Any) -> Problem:
    return build_problem("synchronous", task, network, {"steps": steps, **parameters})


def terms(problem: Problem, evidence: Any, kind: str = "prices") -> Any:
    """What chunks pay, and what the links take in, step by step."""
    return price_terms(problem, {"kind": kind, **evidence})


GATHER = posed("gather", PATH, 2, root=0)
LAST_LINK = {"links": [[1, 0, 1, 1], [1, 0, 2, 1]]}


def test_chunks_without_copies_pay_their_cheapest_way() -> None:
    """Both chunks of a gather cross the last link; what it takes in a step has its own price."""
    assert terms(GATHER, LAST_LINK) == (2, [1, 1])
    assert price_bound(GATHER, LAST_LINK) == 2
    # The far node's chunk comes in the second step at the earliest; the other one comes in the cheap one.
    dear_end = {"links": [[1, 0, 2, 1]]}
    assert terms(GATHER, dear_end) == (1, [0, 1])
    wide = Network(3, PATH.edges, bandwidths=(HALF, Fraction(3)))
    assert terms(posed("gather", wide, 2, root=0), LAST_LINK) == (2, [HALF, HALF])


@pytest.mark.parametrize(
    ("chunks", "prices", "value"),
    [
        (None, (1, 1), Fraction(2)),
        (1, (1, 1), Fraction(2)),
        (3, (1, 1), Fraction(2)),
        (None, (1, 2), Fraction(3, 2)),
        (1, (1, 2), Fraction(2)),
        (2, (1, 2), Fraction(2)),
        (3, (1, 2), Fraction(5, 3)),
        (1, (1, 1, 1), Fraction(3)),
    ],
)
def test_steps_of_whole_rounds(chunks: int | None, prices: tuple[int, ...], value: Fraction) -> None:
    """Each step takes in for a round at least, and the dearest step for those that are missing."""
    counted = {} if chunks is None else {"chunks": chunks}
    problem = posed("gather", PATH, len(prices), root=0, **counted)
    links = [[1, 0, step, price] for step, price in enumerate(prices, 1)]
    assert price_bound(problem, {"links": links}) == value


def table(to: int, *prices: list[Any], shipment: int = 0) -> dict[str, Any]:
    return {"shipment": shipment, "to": to, "prices": list(prices)}


BROADCAST = posed("broadcast", STAR, 1, source=0)


def test_tables_split_the_prices_of_the_hops() -> None:
    """A table for each destination; without switches the prices of the links are what the tables charge."""
    both = {"tables": [table(1, [0, 1, 1, 1]), table(2, [0, 2, 1, HALF_TEXT])]}
    assert terms(BROADCAST, both) == (Fraction(3, 2), [Fraction(3, 2)])
    # Two tables of one shipment on one hop add up; those of different shipments do not.
    relay = posed("broadcast", PATH, 2, source=0)
    shared = {"tables": [table(1, [0, 1, 1, 1], [0, 1, 2, 1]), table(2, [0, 1, 1, 1])]}
    assert terms(relay, shared) == (2, [2, 1])
    allgather = posed("allgather", STAR, 2)
    apart = {"tables": [table(2, [0, 2, 2, 1], shipment=1), table(2, [0, 2, 1, 1], [0, 2, 2, 1])]}
    assert terms(allgather, apart) == (2, [1, 1])


def test_through_switches() -> None:
    """The tables may charge what the links of the way cost, and no more."""
    problem = posed("broadcast", FORK, 1, source=0)
    tables = [table(1, [0, 1, 1, 1]), table(2, [0, 2, 1, 1])]
    uplink = {"tables": tables, "links": [[0, 3, 1, 1]]}
    assert terms(problem, uplink) == (2, [2])
    assert price_bound(problem, uplink) == 1
    with pytest.raises(ClaimError, match="has to give the prices of links"):
        price_bound(problem, {"tables": tables})


@pytest.mark.parametrize(
    "tables",
    [
        [table(1, [0, 1, 1, 2]), table(2, [0, 2, 1, 1])],
        [table(1, [0, 1, 1, "1001/1000"])],
        [table(1, [0, 1, 1, 1]), table(1, [0, 1, 1, 1])],
        [table(1, [0, 1, 1, 1]), table(2, [3, 2, 1, 1])],
    ],
)
def test_overspending(tables: list[dict[str, Any]]) -> None:
    """Tables of a shipment that charge more together than the links cost would prove a second round, where
    one suffices.
    """
    problem = posed("broadcast", FORK, 1, source=0)
    with pytest.raises(ClaimError, match="more than the links there cost"):
        price_bound(problem, {"tables": tables, "links": [[0, 3, 1, 1]]})


def test_overspending_in_one_step_only() -> None:
    """The links' prices of another step do not cover it, and without switches given prices have to, too."""
    relay = posed("broadcast", PATH, 2, source=0)
    tables = [table(2, [0, 1, 1, 1], [0, 1, 2, 1])]
    assert price_bound(relay, {"tables": tables, "links": [[0, 1, 1, 1], [0, 1, 2, 1]]}) == 1
    dear: list[tuple[int, list[Any]]] = [
        (2, [[0, 1, 1, 2]]),
        (1, [[0, 1, 2, 2]]),
        (2, [[0, 1, 1, 1], [0, 1, 2, HALF_TEXT]]),
    ]
    for step, links in dear:
        with pytest.raises(ClaimError, match=f"step {step}: .* charge 1 .* more than the links there cost"):
            price_bound(relay, {"tables": tables, "links": links})
    # A price of 0 needs no link, and a hop that there is not takes no other.
    free = [table(2, [0, 1, 1, 1], [2, 0, 1, 0])]
    assert price_bound(relay, {"tables": free, "links": [[0, 1, 1, 1]]}) == 1


CYCLE = Network.from_spec("cycle:4")
IDENTITY, ROTATED, MIRROR = [0, 1, 2, 3], [1, 2, 3, 0], [0, 3, 2, 1]


def test_symmetries_carry_tables_over() -> None:
    """A table stands for its images: what each charges, and where."""
    problem = posed("broadcast", CYCLE, 2, source=0)
    first = {"tables": [table(1, [0, 1, 1, 1], [0, 1, 2, 1], [2, 1, 2, 1])]}
    assert terms(problem, first) == (1, [1, 2])
    both = {**first, "symmetries": [IDENTITY, MIRROR]}
    assert terms(problem, both) == (2, [2, 4])


@pytest.mark.parametrize(
    ("symmetries", "words"),
    [
        ([IDENTITY, ROTATED], "does not map the task to itself"),
        ([[1, 0, 2, 3]], "no automorphism"),
        ([[0, 1, 2]], "no automorphism"),
        ([[0, 3, 2, 1.0]], "no automorphism"),
        ([[0, 3, 2, True]], "no automorphism"),
        (["0321"], "no automorphism"),
        ({"0": 0}, "no automorphism"),
    ],
)
@pytest.mark.parametrize("task", ["broadcast", "scatter"])
def test_other_symmetries(task: str, symmetries: Any, words: str) -> None:
    """A rotation of the cycle keeps its links, and moves the source."""
    problem = posed(task, CYCLE, 2, source=0)
    evidence = {"tables": [table(1, [0, 1, 1, 1])], "links": [[0, 1, 1, 1]], "symmetries": symmetries}
    with pytest.raises(ClaimError, match=words):
        price_bound(problem, evidence)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (None, "are rows"),
        ([[1, 0, 1]], "are rows"),
        ([[1, 0, 1, 1, 1]], "are rows"),
        ([[1, 0, "1", 1]], "are rows"),
        ([[True, 0, 1, 1]], "are rows"),
        ([{"from": 1}], "are rows"),
        ([[1, 0, 0, 1]], "no link 1-0 in step 0"),
        ([[1, 0, 3, 1]], "no link 1-0 in step 3"),
        ([[-1, 0, 1, 1]], "no link -1-0"),
        ([[1, -3, 1, 1]], "no link 1--3"),
        ([[3, 0, 1, 1]], "no link 3-0"),
        ([[1, 3, 1, 1]], "no link 1-3"),
        ([[2, 0, 1, 1]], "no link from 2 to 0"),
        ([[1, 0, 1, 1], [1, 0, 1, 1]], "given twice"),
        ([[1, 0, 1, -1]], "negative"),
        ([[1, 0, 1, "-1/2"]], "negative"),
        ([[1, 0, 1, True]], "a whole number or a fraction"),
        ([[1, 0, 1, 1.5]], "a whole number or a fraction"),
        ([[1, 0, 1, "1/0"]], "fraction|denominator"),
        ([[1, 0, 1, "much"]], "fraction|number"),
        ([[1, 0, 1, 0]], "the prices are all 0"),
        ([], "the prices are all 0"),
    ],
)
def test_rows_that_are_no_prices(rows: Any, words: str) -> None:
    """Each in one line."""
    for bound in (price_bound, tree_price_bound):
        with pytest.raises(ClaimError, match=words) as raised:
            bound(GATHER, {"links": rows})
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "tables",
    [
        None,
        {},
        [1],
        [table(0)],
        [table(3)],
        [table(1, shipment=1)],
        [table(1, shipment=-1)],
        [{"shipment": True, "to": 1, "prices": []}],
        [{"to": 1, "prices": []}],
        [{"shipment": 0, "to": 1}],
    ],
)
def test_tables_that_are_none(tables: Any) -> None:
    """A table is one of a destination of a shipment."""
    with pytest.raises(ClaimError, match=r"tables are a list|no shipment|prices are rows"):
        price_bound(BROADCAST, {"tables": tables})


def test_without_prices() -> None:
    """Links have to be priced for tasks without copies and for trees, one kind or the other."""
    for bound in (price_bound, tree_price_bound):
        with pytest.raises(ClaimError, match="out of reach"):
            bound(GATHER, {})
    nothing: tuple[Any, ...] = (None, {}, {"kind": "distance"}, [], {"kind": ["prices"]})
    for evidence in nothing:
        with pytest.raises(ClaimError, match="of the kind prices or tree-prices"):
            price_terms(GATHER, evidence)


def test_out_of_reach() -> None:
    """Nothing is proven of steps that are too few, and nothing is waited for before it is there."""
    for task, end in (("gather", "root"), ("broadcast", "source")):
        problem = posed(task, PATH, 1, **{end: 0})
        links = [[0, 1, 1, 1], [1, 0, 1, 1]]
        tables = {"tables": [table(2, [0, 1, 1, 1])]} if task == "broadcast" else {}
        with pytest.raises(ClaimError, match="out of reach"):
            price_bound(problem, {**tables, "links": links})
        with pytest.raises(ClaimError, match="out of reach"):
            tree_price_bound(problem, {"links": links})


def test_trees_pay_for_every_hop() -> None:
    """A broadcast on a path crosses both links, each in a step of its own."""
    relay = posed("broadcast", PATH, 2, source=0)
    links = {"links": [[0, 1, 1, 1], [1, 2, 2, 2]]}
    assert terms(relay, links, "tree-prices") == (3, [1, 2])
    assert tree_price_bound(relay, links) == Fraction(3, 2)
    fork = posed("broadcast", FORK, 1, source=0)
    assert terms(fork, {"links": [[0, 3, 1, 1]]}, "tree-prices") == (2, [2])
