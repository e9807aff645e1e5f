"""Groups of symmetries that a gossip schedule may have.

Automorphisms of the network, some of them together with a run backwards in time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.graph import Network

LONGEST_PRODUCT = 6
"""A random automorphism is the product of so many known ones."""
LARGEST_GROUP = 128
"""The most symmetries that a group has."""
MOST_FAILURES = 8
"""How many random symmetries in a row a group cannot grow by before it is left as it is."""


@dataclass(frozen=True)
class Symmetry:
    """What a schedule may be kept by.

    Every call u > v of round t is moved to image[u] > image[v] in round t, or, turned, to image[v] > image[u]
    in round M + 1 - t.
    """

    image: Automorphism
    turned: bool = False

    def after(self, first: Symmetry) -> Symmetry:
        """First that one, then this."""
        return Symmetry(tuple(self.image[v] for v in first.image), self.turned != first.turned)

    @property
    def is_identity(self) -> bool:
        """Whether it changes nothing."""
        return not self.turned and all(v == x for v, x in enumerate(self.image))

    @property
    def is_possible(self) -> bool:
        """Whether a gossip schedule may have it (`drawn_groups`)."""
        return self.turned or self.is_identity or all(v != x for v, x in enumerate(self.image))


Group = frozenset[Symmetry]


def unturned(group: Group) -> list[Symmetry]:
    """Return the symmetries that leave the time as it is."""
    return [symmetry for symmetry in group if not symmetry.turned]


def generators_of(group: Group) -> list[Symmetry]:
    """Return symmetries that generate a group; those of them that are not turned, all that are not turned."""
    generators: list[Symmetry] = []
    generated: Group = frozenset()
    for symmetry in sorted(group, key=lambda symmetry: (symmetry.turned, symmetry.image)):
        if symmetry not in generated and not symmetry.is_identity:
            generators.append(symmetry)
            generated = _generated(generators) or group
    return generators


def size_of(group: Group) -> tuple[int, int]:
    """Return a size by which groups are compared: the larger it is, the smaller is the formula."""
    return len(unturned(group)), len(group)


def drawn_groups(
    known: Sequence[Automorphism], rng: random.Random, towers: int, *, turning: bool
) -> Iterator[Group]:
    """Yield groups of symmetries, other than the trivial one, that a gossip schedule may have.

    No automorphism of such a group, other than the identity, keeps a node unless it is turned.

    If an automorphism keeps every round, and keeps a node v, then so it keeps whomever v talks to, as the
    image of a call with v is a call with v in the same round; hence it keeps all nodes.

    First, with turning, the groups of one involution that is turned. Then random ones: each tower begins with
    the trivial group and adds one random symmetry after the other; in every other tower none of them is
    turned.

    Parameters
    ----------
    known
        Automorphisms, of which others are products; the identity among them.
    rng
        The source of random numbers; None for none.
    towers
        How many groups are built up, one symmetry after another.
    turning
        Whether a gossip run backwards is one, as in undirected networks.
    """
    for image in known if turning else ():
        group = _generated([Symmetry(image, turned=True)])
        if group is not None and len(group) == 2:
            yield group
    for tower in range(towers):
        generators: list[Symmetry] = []
        size, failures = 1, 0
        while failures < MOST_FAILURES:
            added = _random_symmetry(known, rng, turning and tower % 2 == 1)
            group = _generated([*generators, added])
            if group is None or len(group) == size:
                failures += 1
            else:
                generators.append(added)
                size, failures = len(group), 0
                yield group


def _random_symmetry(known: Sequence[Automorphism], rng: random.Random, turning: bool) -> Symmetry:
    """Return a random power of a random symmetry, so that small orders are drawn too."""
    symmetry = Symmetry(tuple(range(len(known[0]))), turning and rng.random() < 0.5)
    for image in rng.choices(known, k=LONGEST_PRODUCT):
        symmetry = Symmetry(image).after(symmetry)
    powers = [symmetry]
    while not powers[-1].is_identity and len(powers) < LARGEST_GROUP:
        powers.append(symmetry.after(powers[-1]))
    return rng.choice(powers)


def _generated(generators: Sequence[Symmetry]) -> Group | None:
    """Return the group that symmetries generate.

    None when a gossip schedule cannot have it, or it is too large.
    """
    group: set[Symmetry] = set()
    waiting = list(generators)
    while waiting:
        symmetry = waiting.pop()
        if symmetry in group:
            continue
        if not symmetry.is_possible or len(group) == LARGEST_GROUP:
            return None
        group.add(symmetry)
        waiting += [symmetry.after(generator) for generator in generators]
    return frozenset(group)


def kind_of(network: Network, group: Group) -> Hashable:
    """Return what conjugate groups have in common; groups that are not conjugate seldom have the same.

    For every symmetry whether it is turned, the lengths of its cycles, how many edges it turns round, how
    many it keeps, and how many nodes it moves to a neighbour.
    """
    return frozenset(Counter(_symmetry_kind(network, symmetry) for symmetry in group).items())


def _symmetry_kind(network: Network, symmetry: Symmetry) -> Hashable:
    image = symmetry.image
    return (
        symmetry.turned,
        frozenset(Counter(_cycle_lengths(image)).items()),
        sum(image[u] == v and image[v] == u for u, v in network.edges),
        sum(image[u] == u and image[v] == v for u, v in network.edges),
        sum(image[v] in network.successors[v] for v in range(network.node_count)),
    )


def _cycle_lengths(image: Sequence[int]) -> Iterator[int]:
    left = set(range(len(image)))
    while left:
        v, length = min(left), 0
        while v in left:
            left.remove(v)
            v, length = image[v], length + 1
        yield length
