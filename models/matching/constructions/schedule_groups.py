"""Groups of symmetries that a gossip schedule may have.

Automorphisms of the network, some of them together with a run backwards in time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from operator import ne
from typing import Any

from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.graph import Network

LONGEST_PRODUCT = 6
"""A random automorphism is the product of so many known ones."""
LARGEST_GROUP = 1_000_000
"""The most symmetries that a group has, times the nodes."""
PRODUCTS = 30
"""So many random automorphisms are made of the generators, and groups are drawn from them."""
AUTOMORPHISM_STEPS = 100_000
"""The backtracking steps in which generators of the automorphisms are looked for."""
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
        return Symmetry(tuple(map(self.image.__getitem__, first.image)), self.turned != first.turned)

    @property
    def is_identity(self) -> bool:
        """Whether it changes nothing."""
        return not self.turned and not any(map(ne, self.image, count()))

    @property
    def is_possible(self) -> bool:
        """Whether a gossip schedule may have it (`drawn_groups`)."""
        return self.turned or all(map(ne, self.image, count())) or self.is_identity


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
        group, failures = Group(), 0
        while failures < MOST_FAILURES:
            added = _random_symmetry(known, rng, turning and tower % 2 == 1)
            known_already = added.is_identity or added in group
            larger = None if known_already else _generated([*generators, added])
            if larger is None:
                failures += 1
            else:
                generators.append(added)
                group, failures = larger, 0
                yield group


def groups_of(network: Network, rng: random.Random, towers: int) -> Iterator[Group]:
    """Yield groups of symmetries as `drawn_groups` does, from generators of all automorphisms.

    In undirected networks some have a run backwards. Normal subgroups follow: the closures of as many
    random symmetries and of their powers, and what two of them generate.
    """
    generators = automorphism_generators(network, steps=AUTOMORPHISM_STEPS)
    known: list[Automorphism] = [tuple(range(network.node_count)), *generators]
    for _ in range(PRODUCTS if generators else 0):
        one, other = rng.choice(known), rng.choice(known)
        known.append(tuple(one[v] for v in other))
    yield from drawn_groups(known, rng, towers, turning=not network.directed)
    normal: dict[Group, None] = {}
    for _ in range(towers if generators else 0):
        powers = _powers(_random_product(known, rng))
        for order in (p for p in range(2, len(powers) + 1) if len(powers) % p == 0):
            closure = _normal_closure(powers[len(powers) // order - 1], generators)
            joined = (
                [_generated([*generators_of(other), *generators_of(closure)]) for other in normal]
                if closure is not None and closure not in normal
                else []
            )
            for group in (closure, *joined):
                if group is not None and group not in normal:
                    normal[group] = None
                    yield group


def _inverse(image: Automorphism) -> Automorphism:
    return tuple(sorted(range(len(image)), key=image.__getitem__))


def _normal_closure(symmetry: Symmetry, automorphisms: Sequence[Automorphism]) -> Group | None:
    """Return the least group with a symmetry that automorphisms map to itself; None as `_generated` does."""
    by_all = [(Symmetry(image), Symmetry(_inverse(image))) for image in automorphisms]
    generators = [symmetry]
    group = _generated(generators)
    for one in generators:
        for there, back in by_all:
            conjugate = there.after(one.after(back))
            if group is not None and conjugate not in group:
                generators.append(conjugate)
                group = _generated(generators)
    return group


def _random_symmetry(known: Sequence[Automorphism], rng: random.Random, turning: bool) -> Symmetry:
    """Return a random power of a random symmetry, so that small orders are drawn too."""
    return rng.choice(_powers(_random_product(known, rng, turned=turning and rng.random() < 0.5)))


def _random_product(known: Sequence[Automorphism], rng: random.Random, *, turned: bool = False) -> Symmetry:
    product = tuple(range(len(known[0])))
    for image in rng.choices(known, k=LONGEST_PRODUCT):
        product = tuple(map(image.__getitem__, product))
    return Symmetry(product, turned)


def _powers(symmetry: Symmetry) -> list[Symmetry]:
    """Return the powers of a symmetry, from the first to the identity, or to as many as a group may have."""
    powers = [symmetry]
    while not powers[-1].is_identity and len(powers) * len(symmetry.image) < LARGEST_GROUP:
        powers.append(symmetry.after(powers[-1]))
    return powers


def _generated(generators: Sequence[Symmetry]) -> Group | None:
    """Return the group that symmetries generate.

    None when a gossip schedule cannot have it, or it is too large.

    It grows generator by generator: the cosets r H of the group H so far, each at once, until the products of
    generators and representatives r are all in one. Two symmetries of a possible group that agree on whether
    they are turned, and on node 0, are the same: otherwise one after the inverse of the other keeps a node.
    """
    import numpy as np

    n = len(generators[0].image) if generators else 0
    nodes = np.arange(n)
    found = {(0, False): 0}
    images, turned, used = nodes[np.newaxis], np.zeros(1, bool), list[tuple[Any, bool]]()
    for generator in generators:
        used.append((np.array(generator.image), generator.turned))
        group, flags, representatives = images, turned, [(nodes, False)]
        for image, flag in representatives:
            for one, turns in used:
                moved, sign = one[image], flag != turns
                at = found.get((int(moved[0]), sign))
                if at is not None:
                    if (images[at] != moved).any():
                        return None
                    continue
                coset, signs = moved[group], flags != sign
                keeps = (coset == nodes).any(axis=1) & ~signs
                if keeps.any() or (len(images) + len(coset)) * n > LARGEST_GROUP:
                    return None
                for i, key in enumerate(zip(coset[:, 0].tolist(), signs.tolist(), strict=True)):
                    if found.setdefault(key, len(images) + i) != len(images) + i:
                        return None
                images, turned = np.concatenate([images, coset]), np.concatenate([turned, signs])
                representatives.append((moved, sign))
    return frozenset(
        Symmetry(tuple(image), flag) for image, flag in zip(images.tolist(), turned.tolist(), strict=True)
    )


def has_useful_calls(network: Network, group: Group, *, two_way: bool) -> bool:
    """Return whether the links connect all nodes whose calls a round may hold that the group keeps.

    With a call of u and v a round then holds those of their images. If an image of u is v, this is a call
    that shares v with the first, unless it is the same call, two-way, turned round. As no image of a node is
    the node itself, no other two of them share a node.
    """
    import numpy as np

    images = np.array([range(network.node_count), *(symmetry.image for symmetry in unturned(group))])
    u, v = (np.array([edge[end] for edge in network.edges], int) for end in (0, 1))
    onto = images[:, u] == v
    shared = onto & (images[:, v] != u) if two_way else onto
    links = zip(u.tolist(), v.tolist(), shared.any(axis=0).tolist(), strict=True)
    useful = {(min(x, y), max(x, y)) for x, y, shares in links if not shares}
    return None not in Network(network.node_count, tuple(sorted(useful))).distances_from([0])


def kind_of(network: Network, group: Group) -> Hashable:
    """Return what conjugate groups have in common; groups that are not conjugate seldom have the same.

    For every symmetry whether it is turned, the lengths of its cycles, how many edges it turns round, how
    many it keeps, and how many nodes it moves to a neighbour.
    """
    import numpy as np

    images = np.array([symmetry.image for symmetry in group])
    u, v = (np.array([edge[end] for edge in network.edges], int) for end in (0, 1))
    ahead, back = images[:, u], images[:, v]
    towards = [(x, y) for x, out in enumerate(network.successors) for y in out]
    near = np.zeros((network.node_count,) * 2, bool)
    near[tuple(np.array(towards, int).reshape(-1, 2).T)] = True
    counts = zip(
        ((ahead == v) & (back == u)).sum(axis=1).tolist(),
        ((ahead == u) & (back == v)).sum(axis=1).tolist(),
        near[np.arange(network.node_count), images].sum(axis=1).tolist(),
        strict=True,
    )
    kinds = Counter(
        (symmetry.turned, frozenset(Counter(_cycle_lengths(symmetry.image)).items()), *counted)
        for symmetry, counted in zip(group, counts, strict=True)
    )
    return frozenset(kinds.items())


def _cycle_lengths(image: Sequence[int]) -> Iterator[int]:
    seen = bytearray(len(image))
    for start in range(len(image)):
        v, length = start, 0
        while not seen[v]:
            seen[v] = 1
            v, length = image[v], length + 1
        if length:
            yield length
