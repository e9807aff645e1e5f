"""What rounds of whole messages share: the form of their calls, and who still misses what at the end."""

from __future__ import annotations

from schedsolve.network.graph import Label
from schedsolve.schedule import Schedule
from schedsolve.task import Demand


def foreign_form(schedule: Schedule, *, period: int | None = None) -> str | None:
    """What a schedule says that means nothing in rounds of whole messages with the given period or none; None
    if nothing.
    """
    if schedule.messages is not None:
        return "the schedule is clocked, with messages in place of rounds; here calls are made in rounds"
    if schedule.packet_count is not None or any(
        call[4:] != ((), (), ()) for calls in schedule.different_rounds for call in calls
    ):
        return "the schedule sends packets, runs or ports; here a call brings all that its sender knows"
    if schedule.period not in (None, period):
        problem = "the problem has no period" if period is None else f"the period is {period}"
        return f"the schedule says that it repeats every {schedule.period} rounds, but {problem}"
    return None


def missing_knowledge(labels: tuple[Label, ...], demand: Demand, held: list[int], rounds: int) -> str | None:
    """Who still misses what, given what each node holds at the end; None when every goal is reached."""
    missing = [(v, goal & ~held[v]) for v, goal in enumerate(demand.goal) if goal & ~held[v]]
    if not missing:
        return None
    when = f"after the last round ({rounds}): "
    if demand.item_count == 1 and len(demand.start) > 1:
        names = [str(labels[v]) for v, _ in missing]
        return f"{when}the message has not reached {_some('node', names)}"
    v, items = missing[0]
    names = [str(labels[i]) for i in range(demand.item_count) if items >> i & 1]
    others = {1: "", 2: "; 1 more node misses something"}.get(
        len(missing), f"; {len(missing) - 1} more nodes miss something"
    )
    return f"{when}node {labels[v]} does not know the item of {_some('node', names)}{others}"


def _some(noun: str, names: list[str], limit: int = 6) -> str:
    shown = ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")
    return f"{noun}{'s' if len(names) > 1 else ''} {shown}"
