"""The least rounds of a gossip in a complete k-ary tree with any period, by recursion over branches.

docs/theorems.md, section 2, Lemma D:

1. Behind every edge, seen from a node c, lies a branch. U is the first round in which its last node has
   called up all items of the branch, D that in which it is called all others down.
2. For some node c, the centre, D >= U at all its branches, so D > U at every edge farther from c (two-way
   D = U can occur at one branch of c). Then at a node of a branch, U of the branches behind it need only
   be less than its own U, and their D greater than its own D.
3. So what a branch adds to its D depends on U, on the delay (D - U) mod p, and on the branches behind it;
   and D is the first round after the node's own D in its slot.
4. The slots of different edges of a node differ, and one-way also those of U and D: a maximum matching of
   slots says whether the branches behind it can keep an additional time.
5. Of a complete tree the centre may have any depth, one node for each: below it lie k equal branches, and
   above it one, which holds k - 1 equal ones and again one above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from .tree_periods import disjoint_pairs

NEVER = 10**9
"""An additional time that stands for a branch that cannot be done with these slots."""

Slots = tuple[int, int]
"""The slots of one edge: the one up, and the one down."""


@dataclass(frozen=True)
class Mode:
    """The kind of calls, and the period."""

    two_way: bool
    period: int


@dataclass(frozen=True, eq=False)
class Branch:
    """A branch by the branches behind its first node: `below` equal ones `inner`, and at most one `above`.

    The branch of one node has none. Two branches are equal only if they are one object.
    """

    mode: Mode
    inner: Branch | None = None
    below: int = 0
    above: Branch | None = None

    @property
    def parts(self) -> list[tuple[Branch, int]]:
        """The branches behind the first node, each with its number; the single one last."""
        below = [(self.inner, self.below)] if self.inner is not None and self.below else []
        return below + ([(self.above, 1)] if self.above is not None else [])

    @cached_property
    def rows(self) -> list[list[int]]:
        """What the branch adds to D, by U from 1 on, and by the delay.

        The rows repeat after the last one: those of the parts do, and a row depends on the p rows of the
        parts before its U.
        """
        p, parts = self.mode.period, self.parts
        if not parts:
            return [[0 if self.mode.two_way or delay else NEVER for delay in range(p)]] * p
        rows = []
        for up in range(1, max(len(part.rows) for part, _ in parts) + p + 1):
            taken = [(up, up + delay) for delay in range(p)]
            rows.append([self._added(*pair) for pair in taken])
        return rows

    def _added(self, up: int, down: int) -> int:
        """Return what the branch adds to D for one U and one D."""
        if up == down and not self.mode.two_way:
            return NEVER
        p = self.mode.period
        return least_time(self.parts, up - 1, down, {up % p, down % p})[0]

    def first_up(self, latest: int) -> int:
        """Return the U of least addition to D whose last round is `latest`; less than 1 if there is none.

        It is the first one of those in its slot from which nothing is gained by more time. A greater U in the
        same slot never adds more.
        """
        length, p = len(self.rows), self.mode.period
        return latest if latest <= length else latest - -(-(latest - length) // p) * p


class Choice(NamedTuple):
    """A branch behind a node, with its U and its D."""

    branch: Branch
    up: int
    down: int


def least_time(
    parts: Sequence[tuple[Branch, int]], latest: int, after: int, taken: set[int], centre: bool = False
) -> tuple[int, list[Choice]]:
    """Return by how much time after round `after` the branches of a node are done, and their rounds.

    Parameters
    ----------
    parts
        Branches with their numbers; the number of the second, if there is one, is 1.
    latest
        The last round in which they may call up.
    after
        The round after which they are called down.
    taken
        The slots that another edge of the node uses.
    centre
        Whether the node is the centre: two-way the branch that calls up in round `latest` = `after` is
        called down by the same call.

    Returns
    -------
    tuple
        The least additional time, and a choice for every branch; NEVER and none if there is none.
    """
    offers = [_offers(part, latest, after, taken, centre) for part, _ in parts]
    times = sorted({time for offer in offers for time, _ in offer.values()})
    low, high = 0, len(times)
    found: list[Choice] = []
    while low < high:
        middle = (low + high) // 2
        chosen = _fitting(offers, parts[0][1], times[middle])
        if chosen is None:
            low = middle + 1
        else:
            high, found = middle, chosen
    return (times[low], found) if low < len(times) else (NEVER, [])


def _offers(
    part: Branch, latest: int, after: int, taken: set[int], centre: bool
) -> dict[Slots, tuple[int, Choice]]:
    """Return for every pair of free slots when a branch with them is done, and its rounds."""
    p, two_way = part.mode.period, part.mode.two_way
    offers = {}
    free = [slot for slot in range(p) if slot not in taken]
    for up_slot in free:
        last = latest - (latest - up_slot) % p
        up = part.first_up(last)
        if up < 1:
            continue
        added = part.rows[up - 1]
        for down_slot in free:
            time = added[(down_slot - up_slot) % p]
            if time < NEVER and (two_way or up_slot != down_slot):
                both = centre and up_slot == down_slot and last == after
                wait = 0 if both else (down_slot - after - 1) % p + 1
                # The same call serves both ways only if the branch calls up as late as that.
                offers[up_slot, down_slot] = wait + time, Choice(part, last if both else up, after + wait)
    return offers


def _fitting(offers: Sequence[dict[Slots, tuple[int, Choice]]], count: int, time: int) -> list[Choice] | None:
    """Return branches with different slots that are done in time; None if there are none."""
    kept = [{slots: choice for slots, (when, choice) in offer.items() if when <= time} for offer in offers]
    if len(kept) == 1:
        return _different(kept[0], count)
    for slots, choice in kept[1].items():
        others = _different({pair: c for pair, c in kept[0].items() if not {*pair} & {*slots}}, count)
        if others is not None:
            return [*others, choice]
    return None


def _different(choices: dict[Slots, Choice], count: int) -> list[Choice] | None:
    """Return `count` of the choices with different slots; None if there are fewer."""
    pairs = disjoint_pairs(frozenset(choices), count)
    return None if pairs is None else [choices[pair] for pair in pairs]


def centres(arity: int, height: int, mode: Mode) -> Iterator[list[tuple[Branch, int]]]:
    """Yield the branches of the centre of depth 0, 1, ..., `height`, as in step 5 above.

    The k equal branches below come first, then the one above; the height is 1 or more.
    """
    by_height = _complete_branches(arity, height, mode)
    yield [(by_height[height - 1], arity)]
    above: Branch | None = None
    for depth in range(1, height + 1):
        above = Branch(mode, by_height[height - depth], arity - 1, above)
        below = [(by_height[height - depth - 1], arity)] if depth < height else []
        yield [*below, (above, 1)]


@lru_cache(maxsize=8)
def _complete_branches(arity: int, height: int, mode: Mode) -> tuple[Branch, ...]:
    """Return the complete branches of height 0, 1, ..., `height` - 1."""
    branches = [Branch(mode)]
    for _ in range(height - 1):
        branches.append(Branch(mode, branches[-1], arity))
    return tuple(branches)


def centre_time(parts: Sequence[tuple[Branch, int]], most: int) -> tuple[int, list[Choice]]:
    """Return the least rounds with this centre if they are below `most`; if not, `most` and no choices."""
    best, found = most, list[Choice]()
    for last in range(1, max(len(part.rows) for part, _ in parts) + parts[0][0].mode.period + 1):
        if last >= best:
            break
        time, choices = least_time(parts, last, last, set(), centre=True)
        if last + time < best:
            best, found = last + time, choices
    return best, found


def least_value(arity: int, height: int, two_way: bool, period: int) -> int | None:
    """Return the least rounds of a gossip in the complete tree with the period; None if none suffice.

    Parameters
    ----------
    arity, height
        Children of an inner node, 2 or more, and the depth of the leaves, 0 or more.
    two_way
        Whether calls are two-way (telephone).
    period
        The schedule's period, 1 or more.

    References
    ----------
    docs/theorems.md, section 2, Lemma D.
    """
    found = best_centre(arity, height, two_way, period)
    return None if found is None else found[0]


def best_centre(arity: int, height: int, two_way: bool, period: int) -> tuple[int, int, list[Choice]] | None:
    """Return the least rounds, the depth of a centre that has them, and the choices there; None for never."""
    if height == 0:
        return 0, 0, []
    best, depth, found = NEVER, 0, list[Choice]()
    for place, parts in enumerate(centres(arity, height, Mode(two_way, period))):
        value, choices = centre_time(parts, best)
        if choices:
            best, depth, found = value, place, choices
    return (best, depth, found) if found else None
