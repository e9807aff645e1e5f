"""Which small networks a broadcast or a gossip takes at most M rounds on, for designs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from schedsolve.experiments.designs.levels import Choice, Designs, Question
from schedsolve.experiments.designs.small_networks import Broadcasts, gossip_rounds
from schedsolve.network.classes.canonical_form import nodes_of

if TYPE_CHECKING:
    from schedsolve.modelkit.search import RunningSearch
    from schedsolve.network.classes.canonical_form import Rows


def least_degree(task: str, nodes: int, rounds: int, choice: Choice) -> int:
    """Return the least d with 1 + 2^M - 2^(M-d) >= n: a degree that every node has.

    A broadcast of M rounds from a node of degree d: it informs one neighbour at a time, and not after it has
    informed all. Whoever it informs in round i informs at most 2^(M-i) - 1 others, so at most 1 + 2^(M-1) +
    ... + 2^(M-d) nodes learn of it. A gossip is a broadcast from every node; a broadcast from one source says
    nothing of the others.
    """
    if task == "broadcast" and choice == "min":
        return 0
    return next((d for d in range(rounds + 1) if 1 + (1 << rounds) - (1 << rounds - d) >= nodes), nodes)


def fewest_links(task: str, nodes: int, rounds: int, choice: Choice) -> int:
    """Return a number of links that every network has in which the task takes so few rounds, 0 for none.

    Where the least degree alone says as much, no network is generated, and this says nothing.

    Let d be the least degree that a node may have, and k the least number such that a node of degree d with
    neighbours of degree k reaches all nodes (`reached`). So each node of degree d has a neighbour of degree k
    or more.
    """
    least = least_degree(task, nodes, rounds, choice)
    if not least:
        return 0
    near = next((k for k in range(least, nodes) if reached([k] * least, rounds) >= nodes), nodes)
    return 0 if near == least else -(-least_degree_sum(nodes, least, near) // 2)


def leaves_apart(task: str, nodes: int, rounds: int) -> bool:
    """Return whether leaves are apart in every network in which a gossip takes so few rounds.

    Let 2^(M-2) < n - 2, and v be the neighbour of a leaf. Only v passes on the leaf's item.

    1. If v hears it in round t, at most 2^(M-t) nodes but the leaf know it in the end. These are n - 1 for
       t = 1 only. So the leaf calls v in round 1, and no other leaf does.
    2. If v has one link more, its other neighbour hears the item in round 2 at the earliest, and at most
       2 + 2^(M-2) < n nodes know it in the end. So v has two more, to nodes that are no leaves by step 1.
    3. Without the leaf and its calls a gossip remains: v learns from the leaf only its own item, and what the
       leaf had from v.
    """
    return task == "gossip" and rounds >= 2 and 1 << rounds - 2 < nodes - 2


def least_degree_sum(nodes: int, least: int, near: int) -> int:
    """Return the least sum of degrees if each of degree d has a neighbour of degree k > d or more.

    Let b nodes have degree k or more. A sum of degrees s >= kb of theirs leaves at most s nodes of degree d;
    all others have degree d + 1 at least. A larger s than kb gains no more than it costs.

    Parameters
    ----------
    nodes
        The number of nodes.
    least, near
        The degrees d, below which there is none, and k.
    """
    return min((least + 1) * (nodes - b) - min(nodes - b, near * b) + near * b for b in range(nodes))


def reached(degrees: Sequence[int], rounds: int) -> int:
    """Return how many nodes a broadcast from a node reaches at most, by the degrees of its neighbours.

    It informs one neighbour in a round. A neighbour of degree k that is informed with r rounds left informs
    k - 1 others itself. With those that they inform, they are at most 2^(r-1), 2^(r-2), ... nodes, together
    2^r - 2^(r-k+1) for k - 1 < r. An earlier call gains more where the degree is larger, so the neighbours
    are called by descending degree.
    """
    best = sorted(degrees, reverse=True)[:rounds]
    return 1 + sum(
        1 + (1 << left) - (1 << max(0, left - k + 1))
        for left, k in zip(range(rounds - 1, -1, -1), best, strict=False)
    )


def _degrees_allow(rows: Rows, rounds: int) -> bool:
    """Whether the degrees of its neighbours let every node of an undirected network reach all."""
    degrees = [row.bit_count() for row in rows]
    return all(reached([degrees[w] for w in nodes_of(row)], rounds) >= len(rows) for row in rows)


def _telephone(task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    if task == "gossip":
        return _degrees_allow(rows, rounds) and gossip_rounds(rows, rounds, two_way=True) is not None
    return _broadcast(rows, directed, rounds, choice)


def _telegraph(task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    if task == "gossip":
        return gossip_rounds(rows, rounds, two_way=False, directed=directed) is not None
    return _broadcast(rows, directed, rounds, choice)


def _broadcast(rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    if choice == "max" and not directed and not _degrees_allow(rows, rounds):
        return False
    sources = sorted(range(len(rows)), key=lambda v: rows[v].bit_count(), reverse=choice == "min")
    alone = Broadcasts(rows)
    return (all if choice == "max" else any)(alone.suffices(1 << v, rounds) for v in sources)


_TASKS = {"broadcast": True, "gossip": False}


def _search(model: str, question: Question, most: int) -> RunningSearch | None:
    from schedsolve.experiments.designs.rounds_formula import design_search

    return design_search(model, question, most)


DESIGNS = {
    name: Designs(
        "rounds", _TASKS, suffices, least_degree, fewest_links, leaves_apart, search=partial(_search, name)
    )
    for name, suffices in (("telephone", _telephone), ("telegraph", _telegraph))
}
