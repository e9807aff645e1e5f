"""Periodic gossip on complete k-ary trees, as a pattern for every node.

Nodes are numbered level by level: the root is 0, the children of v are k v + 1, ..., k v + k. In all
schemes the root hears from its last child in round k h of the tree of height h; every other pattern
is shifted so that its calls meet those of the parent.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from ..patterns import DOWN, UP, Pattern, aligned

Role = TypeVar("Role")
Residue = tuple[int, int]


@dataclass(frozen=True)
class TreeScheme:
    """A theorem: gossip on the complete k-ary tree of height h with a period that depends on k only.

    `claim` says it in words, `applies` for which (k, h) it is stated, `period` maps k to the period, and
    `build` makes the patterns.
    """

    source: str
    claim: str
    two_way: bool
    applies: Callable[[int, int], bool]
    period: Callable[[int], int]
    build: Callable[[int, int], list[Pattern]]

    def patterns(self, k: int, h: int) -> list[Pattern]:
        """Return the pattern of every node, N where the root has no parent and the leaves no children.

        Raises
        ------
        ValueError
            If the theorem does not apply to arity k and height h.
        """
        if not self.applies(k, h):
            raise ValueError(f"{self.source} says nothing about arity {k} and height {h}")
        return self.build(k, h)


def _tree(
    k: int, h: int, root: Pattern, role: Role, child: Callable[[Role, int], tuple[Role, Pattern]]
) -> list[Pattern]:
    """Return the patterns of all nodes.

    Parameters
    ----------
    k, h
        The arity and the height.
    root
        The root's pattern before it is shifted.
    role
        The root's role.
    child
        Maps the role of a node and i to the role of its i-th child, and the child's pattern before it
        is shifted.
    """

    @cache
    def below(role: Role, pattern: Pattern) -> list[tuple[Role, Pattern]]:
        kinds = [child(role, i) for i in range(1, k + 1)]
        return [(kind, aligned(shape, pattern, i)) for i, (kind, shape) in enumerate(kinds, 1)]

    @cache
    def leaf(pattern: Pattern) -> Pattern:
        return pattern.without(children=True)

    last = next(position for position, letter in enumerate(root.letters) if letter.partner == k)
    level = [(role, root.without(parent=True).shifted(last + 1 - k * h))]
    patterns = []
    for _ in range(h):
        patterns += [pattern for _, pattern in level]
        level = [node for place in level for node in below(*place)]
    return patterns + [leaf(pattern) for _, pattern in level]


def _calls(k: int, direction: str = "") -> str:
    """Return the text of the calls with all children in turn."""
    return " ".join(f"C{i}{direction}" for i in range(1, k + 1))


def _two_way(k: int, h: int, shapes: dict[str, str], children: dict[str, list[str]]) -> list[Pattern]:
    """Return the patterns of a scheme given by name.

    `shapes` holds the pattern of each name, the root's first, and `children` the names of its
    children.
    """
    named = {name: Pattern.parse(text) for name, text in shapes.items()}
    root = next(iter(named))
    return _tree(
        k, h, named[root], root, lambda name, i: (children[name][i - 1], named[children[name][i - 1]])
    )


def _two_way_shortest_period(k: int, h: int) -> list[Pattern]:
    """Return the patterns of Theorem 4.2."""
    return _two_way(k, h, {"s": f"P {_calls(k)}"}, {"s": ["s"] * k})


def _two_way_optimal(k: int, h: int) -> list[Pattern]:
    """Return the patterns of Theorem 4.3."""
    c, wait = _calls(k), "N " * (k - 1)
    shapes = {
        "r": f"N {c} {_calls(k - 1)} N N",
        "s": f"P {wait} P N {c}",
        "s'": f"P {wait} P {c} N",
        "t": f"N {c} P {c}",
        "u": f"P {c} P {c}",
    }
    children = {
        "r": ["s"] * (k - 2) + ["s'", "t"],
        "s": ["t"] * k,
        "s'": ["t"] * k,
        "t": ["u"] * k,
        "u": ["u"] * k,
    }
    return _two_way(k, h, shapes, children)


def _two_way_optimal_binary(k: int, h: int) -> list[Pattern]:
    """Return the patterns of Theorem 4.4."""
    shapes = {
        "r": "N C1 C2 C1 N N N N N",
        "s": "P N P C1 C2 N N C1 C2",
        "t": "N N P N C1 C2 P N N",
        "t'": "N N P C1 C2 N P N N",
        "u": "N C1 C2 P C1 C2 N C1 C2",
        "v": "P C1 C2 P C1 C2 P C1 C2",
    }
    children = {
        "r": ["s", "u"],
        "s": ["t", "t'"],
        "t": ["u"] * k,
        "t'": ["u"] * k,
        "u": ["v"] * k,
        "v": ["v"] * k,
    }
    return _two_way(k, h, shapes, children)


def _top_height(k: int, slack: int) -> int:
    """Return the paper's h*, for slack 3 and 4: the number of levels after which one-way patterns recur."""
    return 2 - -slack // (k - 1)


def _padded(text: str, period: int) -> Pattern:
    """Return the pattern that begins with the given letters and has N for the rest."""
    return Pattern.parse(text + " N" * (period - len(text.split())))


def _below_root(k: int, top: int) -> Callable[[Residue, int], tuple[Residue, Pattern]]:
    """Return the function that yields the one-way patterns below the root.

    The role of a node is its depth modulo h* (`top`) and its signature, the sum of the child numbers
    since the last depth divisible by h*.
    """
    period = (top + 1) * (k + 1)
    up, down = _calls(k, UP), _calls(k, DOWN)
    early = _padded(f"P_ {up} P^ {down}", period)
    late = _padded(f"{up} P_ {down} P^", period)
    between = [_padded(f"{up} P^ {'N ' * (j * (k + 1) - 1)} P_ {down}", period) for j in range(1, top)]

    def child(parent: Residue, i: int) -> tuple[Residue, Pattern]:
        residue, signature = (parent[0] + 1) % top, i + (parent[1] if parent[0] else 0)
        shape = between[residue - 1] if residue else early if signature <= top + k else late
        return (residue, signature), shape

    return child


def _one_way_near_optimal(k: int, h: int) -> list[Pattern]:
    """Return the patterns of Theorem 4.6."""
    top = _top_height(k, 3)
    root = _padded(f"{_calls(k, UP)} N {_calls(k, DOWN)}", (top + 1) * (k + 1))
    return _tree(k, h, root, (0, 0), _below_root(k, top))


def _one_way_optimal(k: int, h: int) -> list[Pattern]:
    """Return the patterns of Theorem 4.7.

    The last child of the root works as its neighbour does, but calls the root later.
    """
    top = _top_height(k, 4)
    period = (top + 1) * (k + 1)
    up, down, wait = _calls(k, UP), _calls(k, DOWN), "N " * (k - 1)
    deeper = _below_root(k, top)
    first, last = (
        _padded(f"{up} P^ {wait} P_ N {down}", period),
        _padded(f"{up} N P^ {wait} P_ {down}", period),
    )

    def child(parent: Residue, i: int) -> tuple[Residue, Pattern]:
        if parent != (0, 0):
            return deeper(parent, i)
        return ((1, i), first) if i < k else ((1, k - 1), last)

    return _tree(k, h, _padded(f"{up} {down}", period), (0, 0), child)


THEOREM_4_2 = TreeScheme(
    "Theorem 4.2",
    "2kh rounds two-way with period k+1",
    True,
    lambda k, h: k >= 2 and h >= 0,
    lambda k: k + 1,
    _two_way_shortest_period,
)
THEOREM_4_3 = TreeScheme(
    "Theorem 4.3",
    "2kh-1 rounds two-way for k >= 3 with period 2k+2, optimal",
    True,
    lambda k, h: k >= 3 and h >= 1,
    lambda k: 2 * (k + 1),
    _two_way_optimal,
)
THEOREM_4_4 = TreeScheme(
    "Theorem 4.4",
    "4h-1 rounds two-way for k = 2 with period 9, optimal",
    True,
    lambda k, h: k == 2 and h >= 1,
    lambda k: 9,
    _two_way_optimal_binary,
)
THEOREM_4_6 = TreeScheme(
    "Theorem 4.6",
    "2kh+1 rounds one-way with period (3 + ceil(3/(k-1))) (k+1)",
    False,
    lambda k, h: k >= 2 and h >= 0,
    lambda k: (_top_height(k, 3) + 1) * (k + 1),
    _one_way_near_optimal,
)
THEOREM_4_7 = TreeScheme(
    "Theorem 4.7",
    "2kh rounds one-way with period (3 + ceil(4/(k-1))) (k+1), optimal",
    False,
    lambda k, h: k >= 2 and h >= 1,
    lambda k: (_top_height(k, 4) + 1) * (k + 1),
    _one_way_optimal,
)
TREE_SCHEMES = (THEOREM_4_2, THEOREM_4_3, THEOREM_4_4, THEOREM_4_6, THEOREM_4_7)
