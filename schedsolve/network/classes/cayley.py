"""Cayley graphs: all of them with a number of nodes, up to isomorphism.

Every group of fewer than 60 elements is solvable, so it has a normal subgroup N of prime index p, and is
given by an automorphism s of N and an element a = t^p of N with s(a) = a and s^p(x) = a x a^-1: its elements
are x t^i, where t x = s(x) t (Hoelder's cyclic extensions). The groups of n/p elements are made first, and
every one is extended in every way.

References
----------
Besche, Eick, The groups of order at most 1000 except 512 and 768 (2001), for the numbers of groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, islice

from schedsolve.network.classes.canonical_form import Rows, canonical_form

Table = tuple[tuple[int, ...], ...]
"""The products of a group on 0..n-1, whose neutral element is 0."""
MOST_ELEMENTS = 31
"""Of larger groups there are too many, or listing their graphs takes minutes."""
MOST_AUTOMORPHISMS = 24
"""So many take part in leaving out sets that give the same graph; it only saves time."""


@cache
def groups(n: int) -> tuple[Table, ...]:
    """Return the groups of n elements, 31 at most, one of every isomorphism class."""
    if n == 1:
        return (((0,),),)
    found: dict[tuple[object, ...], list[Table]] = {}
    for p in (p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))):
        for normal in groups(n // p):
            for made in _extensions(normal, p):
                alike = found.setdefault(tuple(sorted(_kinds(made))), [])
                if all(next(_isomorphisms(made, other), None) is None for other in alike):
                    alike.append(made)
    return tuple(table for alike in found.values() for table in alike)


def _extensions(normal: Table, p: int) -> Iterator[Table]:
    """Yield the groups with this normal subgroup of index p."""
    m = len(normal)
    inverse = [row.index(0) for row in normal]
    for s in _isomorphisms(normal, normal):
        powers = [tuple(range(m))]
        for _ in range(p):
            powers.append(tuple(s[x] for x in powers[-1]))
        for a in range(m):
            if s[a] == a and all(powers[p][x] == normal[normal[a][x]][inverse[a]] for x in range(m)):
                yield tuple(
                    tuple(
                        _product(normal, powers, a, p, (u % m, u // m), (v % m, v // m)) for v in range(m * p)
                    )
                    for u in range(m * p)
                )


def _product(
    normal: Table, powers: list[tuple[int, ...]], a: int, p: int, u: tuple[int, int], v: tuple[int, int]
) -> int:
    x, i = normal[u[0]][powers[u[1]][v[0]]], u[1] + v[1]
    return x + len(normal) * i if i < p else normal[x][a] + len(normal) * (i - p)


def _kinds(table: Table) -> list[tuple[int, int, int]]:
    """Return for every element its order, the elements that commute with it, and its square roots."""
    n, orders = len(table), []
    for x in range(n):
        order, power = 1, x
        while power:
            order, power = order + 1, table[power][x]
        orders.append(order)
    squares = [table[x][x] for x in range(n)]
    return [
        (orders[x], sum(table[x][y] == table[y][x] for y in range(n)), squares.count(x)) for x in range(n)
    ]


def _isomorphisms(one: Table, other: Table) -> Iterator[tuple[int, ...]]:
    """Yield all isomorphisms between two groups of the same order, by the images of generators."""
    n, kinds, other_kinds = len(one), _kinds(one), _kinds(other)
    generators: list[int] = []
    while len(reached := _generated(one, generators)) < n:
        generators.append(max(set(range(n)) - reached, key=lambda x: (kinds[x][0], -x)))

    def extend(chosen: list[int]) -> Iterator[tuple[int, ...]]:
        image = _homomorphism(one, other, generators[: len(chosen)], chosen)
        if image is None:
            return
        if len(chosen) == len(generators):
            yield tuple(image[x] for x in range(n))
            return
        wanted = kinds[generators[len(chosen)]]
        for y in (y for y in range(n) if other_kinds[y] == wanted):
            yield from extend([*chosen, y])

    yield from extend([])


def _generated(table: Table, generators: list[int]) -> set[int]:
    reached, waiting = {0}, [0]
    while waiting:
        x = waiting.pop()
        for y in (table[x][g] for g in generators):
            if y not in reached:
                reached.add(y)
                waiting.append(y)
    return reached


def _homomorphism(one: Table, other: Table, given: list[int], images: list[int]) -> dict[int, int] | None:
    """Return the one-to-one map of the subgroup of some elements that has these images, None if none is."""
    image, waiting = {0: 0}, [0]
    while waiting:
        x = waiting.pop()
        for g, h in zip(given, images, strict=True):
            y, z = one[x][g], other[image[x]][h]
            if y not in image:
                image[y] = z
                waiting.append(y)
            elif image[y] != z:
                return None
    return image if len(set(image.values())) == len(image) else None


@lru_cache(maxsize=4)
def cayley_graphs(n: int, degree: int) -> tuple[Rows, ...]:
    """Return the connected Cayley graphs of a degree with n nodes, 31 at most.

    The nodes are the elements of a group, and x has links to xs for s in a set that has with s its inverse.
    The graphs are in canonical form.
    """
    found: dict[Rows, None] = {}
    for table in groups(n):
        for chosen in _sets(table, degree):
            if len(_generated(table, chosen)) == n:
                rows = tuple(sum(1 << table[x][s] for s in chosen) for x in range(n))
                found.setdefault(canonical_form(rows).rows)
    return tuple(found)


def _sets(table: Table, size: int) -> Iterator[list[int]]:
    """Yield sets of a size that are closed under inverses, one of those that some automorphisms exchange."""
    pairs = sorted({tuple(sorted({x, row.index(0)})) for x, row in enumerate(table) if x})
    maps, seen = list(islice(_isomorphisms(table, table), MOST_AUTOMORPHISMS)), set[frozenset[int]]()
    for count in range((size + 1) // 2, size + 1):
        for some in combinations(pairs, count):
            chosen = frozenset(x for pair in some for x in pair)
            if len(chosen) == size and chosen not in seen:
                seen.update(frozenset(image[x] for x in chosen) for image in maps)
                yield sorted(chosen)
