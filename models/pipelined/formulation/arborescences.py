"""The cheapest spanning trees of directed graphs with a given root.

Source: Chu, Liu 1965 and Edmonds 1967 (Optimum branchings): every node but the root takes its cheapest link
in; a circle of these is contracted, and its links in count less by what they replace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Costs = Mapping[tuple[int, int], float]


def cheapest_arborescence(nodes: Iterable[int], costs: Costs, root: int) -> dict[int, int] | None:
    """For every node but the root its parent in the cheapest tree of links away from the root.

    None when it does not reach all of them.

    Parameters
    ----------
    nodes
        The nodes that the tree spans.
    costs
        Of the links; those with an end that is not among the nodes do not count.
    root
        The root of the tree.
    """
    members = set(nodes)
    links = {(u, v): (c, (u, v)) for (u, v), c in costs.items() if {u, v} <= members and v != root}
    chosen = _chosen_links(members, links, root)
    return None if chosen is None else {v: u for u, v in chosen}


def _chosen_links(
    nodes: set[int], links: Mapping[tuple[int, int], tuple[float, tuple[int, int]]], root: int
) -> set[tuple[int, int]] | None:
    """Return the links of the cheapest tree, by the names that they come with.

    Parameters
    ----------
    nodes
        The number of nodes.
    links
        Between nodes, each with its cost and its name.
    root
        The root of the tree.
    """
    best: dict[int, int] = {}
    for (u, v), (cost, _) in links.items():
        if v not in best or cost < links[best[v], v][0]:
            best[v] = u
    if len(best) < len(nodes) - 1:
        return None
    circle = _circle(best, root)
    if not circle:
        return {links[u, v][1] for v, u in best.items()}
    hub = max(nodes) + 1
    shrunk: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {}
    entered: dict[tuple[int, int], int] = {}
    for (u, v), (cost, name) in links.items():
        if u in circle and v in circle:
            continue
        if v in circle:
            ends, saved = (u, hub), cost - links[best[v], v][0]
        else:
            ends, saved = (hub if u in circle else u, v), cost
        if ends not in shrunk or saved < shrunk[ends][0]:
            shrunk[ends] = saved, name
            if v in circle:
                entered[name] = v
    rest = _chosen_links(nodes - circle | {hub}, shrunk, root)
    if rest is None:
        return None
    replaced = next(entered[name] for name in rest if name in entered)
    return rest | {links[best[v], v][1] for v in circle if v != replaced}


def _circle(best: Mapping[int, int], root: int) -> set[int]:
    """Return the nodes of a circle of chosen links; none when there is no circle."""
    done = {root}
    for start in best:
        way: list[int] = []
        seen: set[int] = set()
        v = start
        while v not in done and v not in seen:
            seen.add(v)
            way.append(v)
            v = best[v]
        if v in seen:
            return set(way[way.index(v) :])
        done |= seen
    return set()
