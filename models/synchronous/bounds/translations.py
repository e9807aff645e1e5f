"""Groups of translations: automorphisms that move every compute node, the identity apart, and form a group.

A schedule that is invariant under such a group is determined by the chunks of one shipment of every orbit;
averaging over the group shows that a linear program loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from schedsolve.network.automorphisms import Automorphism, automorphisms, is_automorphism
from schedsolve.network.graph import Network

SEARCH_STEPS = 20_000
MOST_CANDIDATES = 400
MOST_CYCLIC = 2


@lru_cache(maxsize=16)
def translations(network: Network) -> tuple[Automorphism, ...]:
    """Return a group of translations as large as is found, the identity first.

    Candidates are shifts of the numbers by components, in any mixed radix, and what automorphisms a search
    finds.
    """
    best: tuple[Automorphism, ...] = (tuple(range(network.node_count)),)
    size = len(network.compute_nodes)
    for candidates in _candidates(network):
        group = _grown(network, candidates)
        if len(group) > len(best):
            best = group
        if len(best) == size:
            break
    return best


def node_representatives(nodes: Sequence[int], group: Sequence[Automorphism]) -> list[int]:
    """Return the least node of every orbit under the group."""
    return [v for v in nodes if all(image[v] >= v for image in group)]


def translation_subgroups(network: Network) -> list[tuple[Automorphism, ...]]:
    """Return the group of `translations`, the largest of its cyclic subgroups, and the trivial one."""
    whole = translations(network)
    cyclic = {_closure([element], len(whole)) or whole for element in whole[1:]} - {whole}
    largest = sorted(cyclic, key=lambda group: (-len(group), group))[:MOST_CYCLIC]
    return list(dict.fromkeys([whole, *largest, whole[:1]]))


def _candidates(network: Network) -> Iterator[list[Automorphism]]:
    """Yield sets of candidates that are worth combining with one another."""
    n, size = network.node_count, len(network.compute_nodes)
    if network.compute_nodes == tuple(range(size)) and size <= 4096:
        for sides in _factorisations(size):
            yield [image for image in _shifts(network, sides) if is_automorphism(network, image)]
    if n <= 300:
        found = automorphisms(network, limit=MOST_CANDIDATES, steps=SEARCH_STEPS)
        yield sorted(found, key=lambda image: (_order(image), image))
        yield sorted(found, key=lambda image: (-_order(image), image))


def _factorisations(size: int, least: int = 2) -> Iterator[tuple[int, ...]]:
    """All ways to write the size as an ordered product, single factors first."""
    if size >= least:
        yield (size,)
    for first in range(least, size // least + 1):
        if size % first == 0:
            for rest in _factorisations(size // first, least):
                yield (first, *rest)


def _shifts(network: Network, sides: Sequence[int]) -> Iterator[Automorphism]:
    """For every side the shift by one of its coordinate, switches moved as their neighbours are."""
    size = len(network.compute_nodes)
    below = size
    for side in sides:
        line, below = below, below // side
        moved = [v + below if v % line < line - below else v + below - line for v in range(size)]
        completed = _with_switches(network, moved)
        if completed is not None:
            yield completed


def _with_switches(network: Network, moved: list[int]) -> Automorphism | None:
    """Return the map of the compute nodes, extended to the switches.

    Their neighbours tell them apart, where they do.
    """
    image = dict(enumerate(moved))
    waiting = sorted(network.switches)
    while waiting:
        known = [s for s in waiting if any(w in image for w in network.successors[s])]
        for s in known:
            near = {image[w] for w in network.successors[s] if w in image}
            fitting = [
                x
                for x in sorted(network.switches - set(image.values()))
                if near <= set(network.successors[x])
            ]
            if not fitting:
                return None
            image[s] = fitting[0]
        if not known:
            return None
        waiting = [s for s in waiting if s not in image]
    return tuple(image[v] for v in range(network.node_count))


def _grown(network: Network, candidates: Iterable[Automorphism]) -> tuple[Automorphism, ...]:
    """Return a group of translations, grown by one candidate after another as long as it stays one."""
    size = len(network.compute_nodes)
    generators: list[Automorphism] = []
    group: tuple[Automorphism, ...] = (tuple(range(network.node_count)),)
    for candidate in candidates:
        if candidate in group or len(group) == size:
            continue
        larger = _closure([*generators, candidate], size, set(network.compute_nodes))
        if larger is not None:
            generators.append(candidate)
            group = larger
    return group


def _closure(
    generators: Sequence[Automorphism], most: int, moving: Iterable[int] = ()
) -> tuple[Automorphism, ...] | None:
    """Return the group that permutations generate, the identity first.

    None when it has more than so many elements, or one besides the identity that leaves one of the moving
    nodes in place.
    """
    identity = tuple(range(len(generators[0])))
    moving = list(moving)
    found = {identity: None}
    frontier = [identity]
    while frontier:
        following = []
        for one in frontier:
            for other in generators:
                product = tuple(other[v] for v in one)
                if product in found:
                    continue
                if len(found) == most or any(product[v] == v for v in moving):
                    return None
                found[product] = None
                following.append(product)
        frontier = following
    return tuple(found)


def _order(image: Automorphism) -> int:
    """How often the permutation has to be repeated to give the identity."""
    product, count = image, 1
    while any(product[v] != v for v in range(len(image))):
        product = tuple(image[v] for v in product)
        count += 1
    return count
