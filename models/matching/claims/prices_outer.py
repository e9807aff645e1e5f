"""What prices prove of the second round of a one-way gossip of bounded degree, and of its last but one.

Theorem 8 of docs/theorems.md. Let n = 2p, O be any p nodes that do not call in the first of M rounds, and D
any p nodes that are not called in the last. With Theorem 7 (`.knowledge_sizes`) let c nodes of O call one of
O in round 2, and c' nodes of D be called by one of D in round M - 1. Then p - c items are wanted, and nobody
outside O knows any of them after round 1. In each of the two rounds a node has one of four roles, which are
mirror images:

- second round: it is of O and calls one of O, and its own item is forgotten, so that it knows nothing; it is
  of O and called by one of O, and knows its own item; it is another of O, which may call a node outside O;
  or it is outside O, and may be called by such a one.
- last but one: it is of D and calls one of D, and has to know all before; it is of D and called by one of D,
  and nothing is asked of it; it is another of D, which has to know all after the round, in which a node
  outside D may call it; or it is outside D, and may call such a one.

The M - 4 rounds between are as in `.prices_between`, whose prices these are, with one more for what is sold
in the second round. If numbers for the roles, for each of the two rounds, add up to at least what a node of
those two roles can earn, and to less than 0 over all nodes, then the gossip does not have these c and c'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schedsolve.modelkit.evidence import fields
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.files.number_reader import whole_number

from .market import (
    LARGEST_DEGREE,
    MOST_ROUNDS,
    NEVER,
    Earned,
    Edge,
    Key,
    Market,
    Offers,
    State,
    best,
    earnings,
    price_table,
    refuse_other_problems,
)

ROLES = ("calls", "called", "other", "outside")
"""The order in which numbers for roles are given."""
TRADES = (0, 0, 1, -1)
"""Whether a node of each role may sell (1) or buy (-1) in the second round."""
FIELDS = fields("degree", "second", "last_but_one", "prices", "roles_second", "roles_last_but_one")
"""Of an entry of "outer_calls"."""
MOST_ENTRIES = 100
Outer = tuple[int, int]
"""The numbers c and c'."""
Succeeds = tuple[bool, bool, bool, bool]
SECOND: Key = (0, 0, 1)
"""What is sold in the second round: the own item."""


def excluded_outer_calls(problem: Problem, rounds: int, entries: Any) -> frozenset[Outer]:
    """Return the c and c' that no gossip in `rounds` rounds has.

    That holds whatever p silent nodes are taken at both ends. With each comes its reverse, which the gossip
    run backwards would have.

    entries: for each "degree", "second" (c), "last_but_one" (c'), "prices" as [round, tag, batch, price],
    where round 0 is the second of the gossip, 1 the first of those between, M - 3 the last but one; and
    the numbers for the roles as "roles_second" and "roles_last_but_one", in the order of `ROLES`. Raises
    ClaimError where they prove nothing.
    """
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise ClaimError(f'"outer_calls" is a list of at most {MOST_ENTRIES} entries')
    pairs = [_excluded(problem, rounds, entry) for entry in entries]
    return frozenset(other for c, d in pairs for other in ((c, d), (d, c)))


def _excluded(problem: Problem, rounds: int, entry: Any) -> Outer:
    if not isinstance(entry, Mapping):
        raise ClaimError('an entry of "outer_calls" is an object')
    wanted, odd = divmod(problem.network.node_count, 2)
    degree, c, d = (whole_number(entry.get(name)) for name in ("degree", "second", "last_but_one"))
    if degree is None or c is None or d is None:
        raise ClaimError('outer calls say "degree", "second" and "last_but_one"')
    if odd or max(c, d) > wanted // 2 or not 5 <= rounds <= MOST_ROUNDS or not 1 <= degree <= LARGEST_DEGREE:
        raise ClaimError(
            f"outer calls are for an even number of nodes, at most a quarter of them, for 5 to {MOST_ROUNDS}"
            f" rounds and a degree up to {LARGEST_DEGREE}"
        )
    refuse_other_problems(problem, degree)
    market = Market(degree, rounds - 3, wanted - c, False, price_table(entry))
    early, late = (_numbers(entry, name) for name in ("roles_second", "roles_last_but_one"))
    for role, earned in zip(early, earned_by_roles(market), strict=True):
        if any(role + other < most for other, most in zip(late, earned, strict=True)):
            raise ClaimError("a node earns more than the numbers for its roles say")
    if _total(early, c, wanted) + _total(late, d, wanted) >= 0:
        raise ClaimError(f"the prices allow {c} calls in the second round and {d} in the last but one")
    return c, d


def role_counts(c: int, wanted: int) -> tuple[int, ...]:
    """How many nodes have each role, of 2 * wanted nodes, when c call one of their own."""
    return c, c, wanted - 2 * c, wanted


def _total(numbers: Sequence[int], c: int, wanted: int) -> int:
    return sum(count * number for count, number in zip(role_counts(c, wanted), numbers, strict=True))


def _numbers(entry: Mapping[str, Any], name: str) -> list[int]:
    numbers = entry.get(name)
    if (
        not isinstance(numbers, list)
        or len(numbers) != len(ROLES)
        or any(type(x) is not int for x in numbers)
    ):
        raise ClaimError(f'"{name}" is a whole number for each of the roles {", ".join(ROLES)}')
    return numbers


def starts(market: Market) -> tuple[tuple[State, ...], ...]:
    """Return what a node may be after the second round, for each role in it.

    The second of two states is that of a node which sold or bought there.
    """
    others = market.degree - 1
    return (
        (_state(0, [(0, 0)] * others, (1, 0)),),
        (_state(1, [(0, 1)] * others, (-1, 1)),),
        (market.start(True), _state(1, [(0, 1)] * others, (1, 0))),
        (market.start(False), _state(1, [(0, 1)] * others, (-1, 0))),
    )


def _state(known: int, unused: Sequence[Edge], used: Edge) -> State:
    return known, tuple(sorted([*unused, used]))


def last_but_one(market: Market, state: State, offers: Offers) -> Iterator[tuple[int, Key | None, Succeeds]]:
    """Yield what a node may do in the last round but one.

    1 if it is paid, -1 if it pays; for what, None if for nothing; and for each role whether it may do so and
    then is what the role wants.
    """
    known, edges = state
    enough = known >= market.wanted
    yield 0, None, (enough, True, enough, True)
    for tag, batch in sorted(set(edges)):
        if batch:
            yield 1, (market.rounds, tag, batch), (False, False, False, True)
        for bought in offers.get(-tag, ()):
            if known + bought >= market.wanted:
                yield -1, (market.rounds, -tag, bought), (False, False, True, False)


def earned_by_roles(market: Market) -> list[Earned]:
    """Return the most that a node can earn, by its role in the second round, and in the last but one.

    Raises
    ------
    ClaimError
        Where a price is missing.
    """

    def last(state: State, offers: Offers) -> Iterator[Earned]:
        for sign, key, succeeds in last_but_one(market, state, offers):
            paid = 0 if key is None else sign * market.price(key)
            yield tuple(paid if success else NEVER for success in succeeds)

    after_second = starts(market)
    earned = earnings(market, {state for states in after_second for state in states}, last)
    found = []
    for (plain, *traded), sign in zip(after_second, TRADES, strict=True):
        paid = [tuple(sign * market.price(SECOND) + later for later in earned[state]) for state in traded]
        found.append(best([earned[plain], *paid]))
    return found
