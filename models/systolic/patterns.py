"""Communication patterns: what one node of a rooted tree does in each round of a period.

A letter names the partner: `C1` is the first child, `P` the parent, `N` stands for no call. One-way
letters end with the direction of the call, `^` towards the root or `_` towards the leaves: `C1^`,
`C1_`, `P^`, `P_`.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

Rounds = list[list[tuple[int, int]]]

PARENT = 0
NOBODY = -1
UP = "^"
DOWN = "_"

_LETTER = re.compile(r"N|(?:P|C([1-9][0-9]*))([\^_]?)")


class Letter(NamedTuple):
    """One round of one node.

    `partner` is the number of the child, from 1, or PARENT or NOBODY; `direction` is UP, DOWN, or ""
    for a two-way call or none.
    """

    partner: int
    direction: str = ""

    def __str__(self) -> str:
        """Return the text of the letter."""
        name = "N" if self.partner == NOBODY else "P" if self.partner == PARENT else f"C{self.partner}"
        return name + self.direction


SILENT = Letter(NOBODY)


@dataclass(frozen=True)
class Pattern:
    """The letters of one node for one period."""

    letters: tuple[Letter, ...]

    @staticmethod
    def parse(text: str) -> Pattern:
        """Return the pattern written as letters with blanks between them.

        Raises
        ------
        ValueError
            If the text is anything else.
        """
        return Pattern(tuple(_letter(word) for word in text.split()))

    def __str__(self) -> str:
        """Return the letters with single blanks between them."""
        return " ".join(map(str, self.letters))

    def __len__(self) -> int:
        """Return the period."""
        return len(self.letters)

    def shifted(self, shift: int) -> Pattern:
        """Return the pattern after `shift` left shifts.

        In round t = 1, 2, ... it reads letter t - 1 + shift of this one, counted from 0.
        """
        start = shift % len(self.letters) if self.letters else 0
        return Pattern(self.letters[start:] + self.letters[:start])

    def without(self, parent: bool = False, children: bool = False) -> Pattern:
        """Return the pattern of a node without a parent, or without children: calls with them become N."""
        absent = [(parent and x.partner == PARENT) or (children and x.partner > PARENT) for x in self.letters]
        return Pattern(tuple(SILENT if gone else x for gone, x in zip(absent, self.letters, strict=True)))

    @cached_property
    def parent_calls(self) -> tuple[tuple[int, str], ...]:
        """The positions, from 0, and the directions of the calls with the parent."""
        return tuple(
            (position, x.direction) for position, x in enumerate(self.letters) if x.partner == PARENT
        )


def _letter(word: str) -> Letter:
    """Return the letter with the given text."""
    match = _LETTER.fullmatch(word)
    if not match:
        raise ValueError(
            f"'{word}' is no letter of a pattern; letters are N, P, C1, C2, ... and, one-way, P^, P_, C1^,"
            " C1_, ..."
        )
    if word == "N":
        return SILENT
    return Letter(int(match[1]) if match[1] else PARENT, match[2])


def rows(patterns: Iterable[Pattern]) -> list[str]:
    """Return the text of several patterns, one per row, in columns of equal width."""
    words = [[str(letter) for letter in pattern.letters] for pattern in patterns]
    width = max((len(word) for row in words for word in row), default=0)
    return [" ".join(word.ljust(width) for word in row).rstrip() for row in words]


def aligned(child: Pattern, parent: Pattern, i: int) -> Pattern:
    """Return the child's pattern, shifted left so that its P letters are where the parent has C_i.

    The shift is the least one that does so for all P letters.

    Parameters
    ----------
    child, parent
        The patterns of the child and of its parent.
    i
        The number of the child, from 1.

    Raises
    ------
    ValueError
        If there is no such shift.
    """
    if len(child) == len(parent):
        for shift in range(len(child)):
            if all(parent.letters[position - shift] == (i, way) for position, way in child.parent_calls):
                return child.shifted(shift)
    raise ValueError(f"no shift of ({child}) puts its P on the C{i} of ({parent})")


def period_calls(patterns: Sequence[Pattern], children: Sequence[Sequence[int]]) -> Rounds:
    """Return the rounds of one period, from the pattern of every node of a rooted tree.

    Calls are pairs (sender, receiver), two-way (parent, child). A C letter without the child's P
    makes no call, nor does a P of the root.

    Parameters
    ----------
    patterns
        The pattern of every node.
    children
        The children of every node, in the order of their numbers.

    Raises
    ------
    ValueError
        If another P does not meet its C, or if the patterns differ in length.
    """
    rounds: Rounds = [[] for _ in patterns[0].letters]
    for v, own in enumerate(patterns):
        if len(own) != len(rounds):
            raise ValueError(f"node {v} has a pattern of {len(own)} letters, node 0 one of {len(rounds)}")
    for v, own in enumerate(patterns):
        for i, child in enumerate(children[v], 1):
            for position, way in patterns[child].parent_calls:
                met, wanted = own.letters[position], Letter(i, way)
                if met != wanted:
                    raise ValueError(
                        f"node {child} has P{way} at position {position + 1}, where its parent {v} has {met},"
                        f" not {wanted}"
                    )
                rounds[position].append((child, v) if way == UP else (v, child))
    return rounds


def patterns_of(
    period_rounds: Sequence[Iterable[tuple[int, int]]],
    parent: Sequence[int],
    children: Sequence[Sequence[int]],
    two_way: bool,
) -> list[Pattern]:
    """Return the pattern of every node of a rooted tree, read off one period of a schedule.

    Parameters
    ----------
    period_rounds
        The calls of every round of the period, as pairs (sender, receiver).
    parent
        The parent of every node, -1 for the root.
    children
        The children of every node, in the order of their numbers.
    two_way
        Whether calls are two-way.

    Raises
    ------
    ValueError
        If a call is along no edge of the tree, or if a node takes part in two calls of a round.
    """
    number = {child: i for row in children for i, child in enumerate(row, 1)}
    letters = [[SILENT] * len(period_rounds) for _ in parent]
    for position, calls in enumerate(period_rounds):
        for u, v in calls:
            if parent[v] == u:
                child, direction = v, DOWN
            elif parent[u] == v:
                child, direction = u, UP
            else:
                raise ValueError(f"round {position + 1}: {u} and {v} are not parent and child")
            direction = "" if two_way else direction
            for node, partner in ((child, PARENT), (parent[child], number[child])):
                if letters[node][position] != SILENT:
                    raise ValueError(f"round {position + 1}: node {node} is in two calls")
                letters[node][position] = Letter(partner, direction)
    return [Pattern(tuple(row)) for row in letters]
