"""What rounds of whole messages share: who still misses what at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schedsolve.modelkit.task import Demand
from schedsolve.network.graph import Label


def missing_knowledge(
    labels: tuple[Label, ...], ends: Iterable[tuple[Demand, Sequence[int]]], rounds: int
) -> str | None:
    """Who still misses what, given what each node holds at the end; None when every goal is reached.

    Parameters
    ----------
    labels
        The names of the nodes.
    ends
        A demand and what each node holds at the end; of a demand in blocks of items, each block in turn.
    rounds
        The number of rounds.
    """
    item_count, missing, named = 0, set[int](), dict[int, list[int]]()
    for demand, held in ends:
        item_count += demand.item_count
        lacking = {v: goal & ~held[v] for v, goal in enumerate(demand.goal) if goal & ~held[v]}
        missing |= lacking.keys()
        # Only the items that the first of the nodes misses are named.
        v = min(missing, default=None)
        if v in lacking:
            items = [demand.first + i for i in range(demand.item_count) if lacking[v] >> i & 1]
            named = {v: named.get(v, []) + items}
    if not missing:
        return None
    when = f"after the last round ({rounds}): "
    if item_count == 1 and len(labels) > 1:
        return f"{when}the message has not reached {_some('node', [str(labels[v]) for v in sorted(missing)])}"
    ((v, items),) = named.items()
    others = {1: "", 2: "; 1 more node misses something"}.get(
        len(missing), f"; {len(missing) - 1} more nodes miss something"
    )
    items_of = _some("node", [str(labels[i]) for i in items])
    return f"{when}node {labels[v]} does not know the item of {items_of}{others}"


def _some(noun: str, names: list[str], limit: int = 6) -> str:
    shown = ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")
    return f"{noun}{'s' if len(names) > 1 else ''} {shown}"
