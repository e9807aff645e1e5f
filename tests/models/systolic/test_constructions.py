"""Periodic constructions on paths and complete trees, replayed here, and the patterns they are written in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from schedsolve.models.systolic.constructions.complete_trees import (
    THEOREM_4_2,
    THEOREM_4_3,
    THEOREM_4_4,
    THEOREM_4_6,
    THEOREM_4_7,
    TREE_SCHEMES,
    TreeScheme,
)
from schedsolve.models.systolic.constructions.paths import (
    one_way_path,
    one_way_path_block,
    one_way_path_rounds,
    two_way_path,
)
from schedsolve.models.systolic.constructions.stars import star_turns
from schedsolve.models.systolic.patterns import (
    Pattern,
    Rounds,
    aligned,
    patterns_of,
    period_calls,
    rows,
)


def complete_tree_children(k: int, h: int) -> list[range]:
    """The children of every node of the complete k-ary tree of height h."""
    inner = sum(k**depth for depth in range(h))
    return [range(k * v + 1, k * v + k + 1) for v in range(inner)] + [range(0)] * k**h


def gossip_rounds(
    n: int, period: Rounds, two_way: bool, neighbours: Callable[[int, int], bool], most: int = 1000
) -> int | None:
    """After how many rounds of a repeated period every node knows all, checking that calls are along edges
    and share no node.
    """
    for calls in period:
        assert all(neighbours(u, v) for u, v in calls)
        assert len({node for call in calls for node in call}) == 2 * len(calls)
    known = [1 << v for v in range(n)]
    everything = (1 << n) - 1
    complete = n == 1
    rounds = 0
    while not complete and rounds < most:
        for u, v in period[rounds % len(period)]:
            known[v] |= known[u]
            if two_way:
                known[u] = known[v]
        rounds += 1
        complete = all(items == everything for items in known)
    return rounds if complete else None


def tree_size(k: int, h: int) -> int:
    """The number of nodes of the complete k-ary tree of height h."""
    return sum(k**depth for depth in range(h + 1))


def tree_parents(k: int, h: int) -> list[int]:
    """The parents of its nodes."""
    return [-1, *((v - 1) // k for v in range(1, tree_size(k, h)))]


def tree_gossip_rounds(scheme: TreeScheme, k: int, h: int, shift: int = 0) -> int | None:
    """After how many rounds a scheme on a complete tree is a gossip, when it starts `shift` rounds late in
    its period.
    """
    patterns = [pattern.shifted(shift) for pattern in scheme.patterns(k, h)]
    parent = tree_parents(k, h)
    assert len(patterns) == len(parent)
    period = period_calls(patterns, complete_tree_children(k, h))
    assert len(period) == scheme.period(k)
    return gossip_rounds(len(parent), period, scheme.two_way, lambda u, v: parent[u] == v or parent[v] == u)


def path_gossip_rounds(n: int, period: Rounds, two_way: bool) -> int | None:
    """After how many rounds a period on the path is a gossip."""
    return gossip_rounds(n, period, two_way, lambda u, v: abs(u - v) == 1 and u in range(n) and v in range(n))


ROUNDS: dict[str, Callable[[int, int], int]] = {
    "Theorem 4.2": lambda k, h: 2 * k * h,
    "Theorem 4.3": lambda k, h: 2 * k * h - 1,
    "Theorem 4.4": lambda k, h: 4 * h - 1,
    "Theorem 4.6": lambda k, h: 2 * k * h + 1,
    "Theorem 4.7": lambda k, h: 2 * k * h,
}
"""After how many rounds the gossips of the theorems are complete, as they are stated."""
SMALL_TREES = [
    (scheme, k, h)
    for scheme in TREE_SCHEMES
    for k in range(2, 7)
    for h in range(9)
    if scheme.applies(k, h) and tree_size(k, h) <= 520
]


@pytest.mark.parametrize(
    ("scheme", "k", "h"), SMALL_TREES, ids=lambda x: x.source if isinstance(x, TreeScheme) else str(x)
)
def test_tree_schemes_take_the_stated_rounds(scheme: TreeScheme, k: int, h: int) -> None:
    """Not one round less either, but on a single node."""
    assert tree_gossip_rounds(scheme, k, h) == (ROUNDS[scheme.source](k, h) if h else 0)


@pytest.mark.parametrize(
    ("scheme", "k", "h", "period", "rounds"),
    [
        (THEOREM_4_2, 2, 3, 3, 12),
        (THEOREM_4_4, 2, 3, 9, 11),
        (THEOREM_4_3, 3, 2, 8, 11),
        (THEOREM_4_6, 2, 5, 18, 21),
        (THEOREM_4_7, 2, 5, 21, 20),
        (THEOREM_4_6, 3, 2, 20, 13),
        (THEOREM_4_7, 4, 2, 25, 16),
    ],
)
def test_tree_schemes_by_numbers(scheme: TreeScheme, k: int, h: int, period: int, rounds: int) -> None:
    """Periods and rounds worked out by hand."""
    assert scheme.period(k) == period
    assert tree_gossip_rounds(scheme, k, h) == rounds


@pytest.mark.parametrize(
    ("scheme", "k", "h"),
    [
        (THEOREM_4_2, 3, 8),
        (THEOREM_4_3, 3, 8),
        (THEOREM_4_4, 2, 12),
        (THEOREM_4_6, 2, 12),
        (THEOREM_4_7, 2, 12),
        (THEOREM_4_7, 6, 5),
    ],
    ids=lambda x: x.source if isinstance(x, TreeScheme) else str(x),
)
def test_tree_schemes_on_large_trees(scheme: TreeScheme, k: int, h: int) -> None:
    """About ten thousand nodes: deep enough for the one-way patterns to return twice."""
    assert tree_gossip_rounds(scheme, k, h) == ROUNDS[scheme.source](k, h)


@pytest.mark.parametrize(
    ("scheme", "k", "h"), [(THEOREM_4_3, 3, 2), (THEOREM_4_4, 2, 2), (THEOREM_4_7, 2, 2)]
)
def test_the_start_of_the_period_matters(scheme: TreeScheme, k: int, h: int) -> None:
    """The time-optimal schemes do not gossip in time one round late."""
    late = tree_gossip_rounds(scheme, k, h, shift=1)
    assert late is None or late > ROUNDS[scheme.source](k, h)


@pytest.mark.parametrize(
    ("scheme", "k", "h"),
    [(THEOREM_4_2, 1, 3), (THEOREM_4_3, 2, 2), (THEOREM_4_3, 3, 0), (THEOREM_4_4, 3, 2), (THEOREM_4_7, 2, 0)],
)
def test_schemes_refuse_other_trees(scheme: TreeScheme, k: int, h: int) -> None:
    with pytest.raises(ValueError, match=f"arity {k} and height {h}"):
        scheme.patterns(k, h)


@pytest.mark.parametrize(
    ("scheme", "k", "h"), [case for case in SMALL_TREES if tree_size(case[1], case[2]) <= 130]
)
def test_patterns_are_read_off_the_rounds(scheme: TreeScheme, k: int, h: int) -> None:
    """The schemes' patterns have no letter that is no call, so the rounds give them back."""
    patterns, children = scheme.patterns(k, h), complete_tree_children(k, h)
    assert (
        patterns_of(period_calls(patterns, children), tree_parents(k, h), children, scheme.two_way)
        == patterns
    )


def test_rounds_are_read_as_patterns_on_any_tree() -> None:
    """A tree with nodes out of order, by hand."""
    parent, children = [2, 2, -1, 0], [[3], [], [1, 0], []]
    rounds = [[(2, 0)], [(1, 2), (0, 3)], [], [(3, 0)]]
    patterns = patterns_of(rounds, parent, children, two_way=False)
    assert rows(patterns) == ["P_  C1_ N   C1^", "N   P^  N   N", "C2_ C1^ N   N", "N   P_  N   P^"]
    assert [sorted(calls) for calls in period_calls(patterns, children)] == [
        sorted(calls) for calls in rounds
    ]
    two_way = patterns_of([[(0, 2)], [(2, 1), (3, 0)]], parent, children, two_way=True)
    assert list(map(str, two_way)) == ["P C1", "N P", "C2 C1", "N P"]
    assert period_calls(two_way, children) == [[(2, 0)], [(0, 3), (2, 1)]]


@pytest.mark.parametrize(
    ("rounds", "message"),
    [
        ([[], [(1, 2)]], "round 2: 1 and 2 are not parent and child"),
        ([[(0, 1), (2, 0)]], "node 0 is in two calls"),
    ],
)
def test_only_rounds_on_the_tree_have_patterns(rounds: Rounds, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        patterns_of(rounds, [-1, 0, 0], [[1, 2], [], []], two_way=False)


@pytest.mark.parametrize("text", ["", "N", "P C1 C2 N", "C1^ C12_ P^ N P_"])
def test_patterns_are_parsed_and_printed(text: str) -> None:
    pattern = Pattern.parse(text)
    assert str(pattern) == text
    assert len(pattern) == len(text.split())
    assert Pattern.parse("".join(rows([pattern]))) == pattern


@pytest.mark.parametrize("text", ["X", "C", "C0", "P C1 c2", "N^", "C1^_", "P,N"])
def test_other_letters_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no letter of a pattern"):
        Pattern.parse(text)


def test_shifts_are_to_the_left() -> None:
    pattern = Pattern.parse("P C1 C2")
    assert [str(pattern.shifted(i)) for i in (0, 1, 2, 3, -1)] == [
        "P C1 C2",
        "C1 C2 P",
        "C2 P C1",
        "P C1 C2",
        "C2 P C1",
    ]


def test_absent_partners_are_not_called() -> None:
    pattern = Pattern.parse("P^ C1^ N C2_ P_")
    assert str(pattern.without(parent=True)) == "N C1^ N C2_ N"
    assert str(pattern.without(children=True)) == "P^ N N N P_"


def test_a_child_is_aligned_with_its_parent() -> None:
    """All P letters of the child fall on the parent's letter for it, in the same direction."""
    assert str(aligned(Pattern.parse("P C1 C2"), Pattern.parse("C1 C2 P"), 2)) == "C2 P C1"
    assert str(aligned(Pattern.parse("P^ N P_ N N"), Pattern.parse("C1_ N P^ C1^ N"), 1)) == "P_ N N P^ N"
    assert str(aligned(Pattern.parse("N C1"), Pattern.parse("C1 P"), 1)) == "N C1"


@pytest.mark.parametrize(
    ("child", "parent", "i"),
    [
        ("P N P", "C1 C2 N", 1),
        ("P N", "C1 N", 2),
        ("P^ N", "C1_ N", 1),
        ("P^ N", "C1 N", 1),
        ("P N N", "C1 N", 1),
    ],
)
def test_no_alignment(child: str, parent: str, i: int) -> None:
    with pytest.raises(ValueError, match="no shift of"):
        aligned(Pattern.parse(child), Pattern.parse(parent), i)


def test_calls_must_meet() -> None:
    """A P without the parent's C is named; a C without the child's P, and a P of the root, are no calls."""
    with pytest.raises(
        ValueError, match=r"node 2 has P\^ at position 3, where its parent 0 has C1\^, not C2\^"
    ):
        period_calls([Pattern.parse(text) for text in ("N C2^ C1^", "N N P^", "N P^ P^")], [[1, 2], [], []])
    with pytest.raises(ValueError, match="node 1 has a pattern of 2 letters, node 0 one of 1"):
        period_calls([Pattern.parse("N"), Pattern.parse("N N")], [[1], []])
    assert period_calls([Pattern.parse("P C1 C2 C1"), Pattern.parse("N N C1 P")], [[1], []]) == [
        [],
        [],
        [],
        [(0, 1)],
    ]


@pytest.mark.parametrize("n", [*range(2, 31), 101])
def test_two_way_paths(n: int) -> None:
    """n - 1 rounds for even n from the perfect matching, else n."""
    rounds = [path_gossip_rounds(n, two_way_path(n, first), two_way=True) for first in (0, 1)]
    assert rounds == [n - 1 if n % 2 == 0 else n, n]


@pytest.mark.parametrize("m", range(2, 41, 2))
def test_one_way_blocks_are_optimal_and_quiet_at_the_ends(m: int) -> None:
    """The end edges are used in the first and the last round only, which is what lets blocks overlap."""
    rounds = one_way_path_block(m)
    assert len(rounds) == m
    assert path_gossip_rounds(m, rounds, two_way=False) == m
    assert all({0, m - 1}.isdisjoint(node for call in calls for node in call) for calls in rounds[1:-1])


@pytest.mark.parametrize("k", range(4, 13))
def test_one_way_paths(k: int) -> None:
    """The count is exact for even k; for odd k one round is often to spare."""
    for n in range(2, 61):
        period = one_way_path(n, k)
        rounds = path_gossip_rounds(n, period, two_way=False)
        assert len(period) == k
        assert rounds is not None
        assert one_way_path_rounds(n, k) - rounds in ((0, 1) if k % 2 else (0,)), n
        assert rounds >= Fraction(k, k - 2) * (n - 2)


def test_one_way_paths_by_numbers() -> None:
    """The smallest case, one block, and one larger path for each parity."""
    assert one_way_path(2, 4) == [[(0, 1)], [(1, 0)], [], []]
    assert [
        one_way_path_rounds(n, k) for n, k in ((2, 4), (4, 4), (6, 8), (1000, 12), (8, 9), (1000, 11))
    ] == [2, 6, 6, 1198, 9, 1221]
    assert (
        path_gossip_rounds(800, one_way_path(800, 12), two_way=False) == one_way_path_rounds(800, 12) == 958
    )


@pytest.mark.parametrize("leaves", [2, 3, 4, 7])
def test_stars_take_one_call_for_each_leaf_and_one_back_but_for_the_last(leaves: int) -> None:
    """2 L - 1 rounds in every period of L or more; with each edge once, in a period of L."""
    edges = [(0, v) for v in range(1, leaves + 1)]
    for period in range(leaves, 2 * leaves + 3):
        turns = star_turns(edges, period, once=False)
        slots = [[edge] for edge in turns] + [[] for _ in range(period - len(turns))]
        assert len(slots) == period
        assert gossip_rounds(leaves + 1, slots, True, lambda u, v: u == 0 < v) == 2 * leaves - 1
        assert star_turns(edges, period, once=True) == edges


def test_paths_refuse_what_the_theorems_leave_out() -> None:
    for m in (0, 3):
        with pytest.raises(ValueError, match="even number"):
            one_way_path_block(m)
    for n, k in ((1, 4), (5, 3)):
        with pytest.raises(ValueError, match="n >= 2 nodes and a period k >= 4"):
            one_way_path(n, k)
        with pytest.raises(ValueError, match="n >= 2 nodes and a period k >= 4"):
            one_way_path_rounds(n, k)
