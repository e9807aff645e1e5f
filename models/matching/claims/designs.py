"""Which small networks a broadcast or a gossip takes at most M rounds on, for designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedsolve.modelkit.designs import Choice, Designs

from .small_networks import Broadcasts, gossip_rounds

if TYPE_CHECKING:
    from schedsolve.network.canonical_form import Rows


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


def _telephone(task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    if task == "gossip":
        return gossip_rounds(rows, rounds, two_way=True) is not None
    return _broadcast(rows, rounds, choice)


def _telegraph(task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    if task == "gossip":
        return gossip_rounds(rows, rounds, two_way=False, directed=directed) is not None
    return _broadcast(rows, rounds, choice)


def _broadcast(rows: Rows, rounds: int, choice: Choice) -> bool:
    sources = sorted(range(len(rows)), key=lambda v: rows[v].bit_count(), reverse=choice == "min")
    alone = Broadcasts(rows)
    return (all if choice == "max" else any)(alone.suffices(1 << v, rounds) for v in sources)


_TASKS = {"broadcast": True, "gossip": False}
DESIGNS = {
    "telephone": Designs("rounds", _TASKS, _telephone, least_degree),
    "telegraph": Designs("rounds", _TASKS, _telegraph, least_degree),
}
