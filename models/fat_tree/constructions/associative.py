"""Products and prefixes from broadcasts: the product is a broadcast run backwards, the prefix a product and
then a broadcast.

Run backwards, with every message turned round, a broadcast from a root brings everything to the root: a
processor sends what it holds, and then holds it no more. That keeps the order of the operands as long as what
a processor holds when it sends is one run of them; so it is with the messages of Algorithms 1 and 2, also
those that in the broadcast bring the message to somebody who holds it already. In the broadcast after it, the
processor that sent the run a..b is sent the product of the operands before a, from which it makes what it
needs.

Source: the paper's section 5, where the product of a reversed broadcast is said to need commutativity in
general.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from schedsolve.errors import InputError

from ..rules import Run


class Planned(NamedTuple):
    """A message of a plan, with the times when it is sent and when it has arrived; in rounds, when its round
    begins and ends.

    operands: the run it carries, empty in a broadcast. needs: the numbers of the messages of the plan that
    its content comes from.
    """

    sender: int
    receiver: int
    start: int
    arrival: int
    operands: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()


def backwards(plan: Iterable[Planned]) -> list[Planned]:
    """The messages of a plan turned round, so that they are sent when they arrived, as counted from the end;
    in the order of sending.
    """
    real = [m for m in plan if m.sender != m.receiver]
    end = max((m.arrival for m in real), default=0)
    turned = [Planned(m.receiver, m.sender, end - m.arrival, end - m.start) for m in real]
    return sorted(turned, key=lambda m: m.start)


def product_plan(plan: Sequence[Planned], processors: int, root: int) -> list[Planned]:
    """The product at the root, from a broadcast plan from it; messages of processors that hold nothing are
    left out.

    Raises InputError when what a processor is to send is not one run of operands.
    """
    held: list[dict[Run, int]] = [{(p, p): -1} for p in range(processors)]
    turned = backwards(plan)
    messages: list[Planned] = []
    by_arrival = sorted(range(len(turned)), key=lambda i: turned[i].arrival)
    numbers: dict[int, int] = {}
    arrived = 0

    def receive_until(time: float) -> int:
        i = arrived
        while i < len(by_arrival) and turned[by_arrival[i]].arrival <= time:
            number = numbers.get(by_arrival[i])
            if number is not None:
                run = messages[number].operands
                held[messages[number].receiver][run[0], run[1]] = number
            i += 1
        return i

    for i, m in enumerate(turned):
        arrived = receive_until(m.start)
        if held[m.sender]:
            run, needs = _joined(held[m.sender])
            held[m.sender] = {}
            numbers[i] = len(messages)
            messages.append(m._replace(operands=run, needs=needs))
    receive_until(float("inf"))
    if _joined(held[root])[0] != (0, processors - 1):
        raise InputError("run backwards, the broadcast does not bring every operand to the root")
    return messages


def _joined(held: dict[Run, int]) -> tuple[Run, tuple[int, ...]]:
    """The run that some runs make together, and the messages that brought them."""
    runs = sorted(held)
    if any(one[1] + 1 != other[0] for one, other in pairwise(runs)):
        raise InputError(
            "in this order a processor would have to send a product of operands that are not consecutive"
        )
    return (runs[0][0], runs[-1][1]), tuple(number for number in held.values() if number >= 0)


def prefix_plan(product: Sequence[Planned]) -> list[Planned]:
    """The prefix from a plan of the product at processor 0: its messages, then back to every sender the
    product of what is before its run.

    Who got a run needs for this the product of what is before the run that he sent on himself, and the runs
    that he joined in front of it.
    """
    end = max((m.arrival for m in product), default=0)
    messages = list(product)
    joined_into = {number: i for i, m in enumerate(product) for number in m.needs}
    stayed = tuple(i for i in range(len(product)) if i not in joined_into)
    place: dict[int, int] = {}
    for i in reversed(range(len(product))):
        m, above = product[i], joined_into.get(i)
        group = stayed if above is None else product[above].needs
        needs = [k for k in group if product[k].operands < m.operands]
        if above is not None:
            needs.append(place[above])
        place[i] = len(messages)
        messages.append(
            Planned(
                m.receiver,
                m.sender,
                2 * end - m.arrival,
                2 * end - m.start,
                (0, m.operands[0] - 1),
                tuple(needs),
            )
        )
    return messages


def in_order_of_sending(plan: Sequence[Planned]) -> list[Planned]:
    """The same messages, sorted by the time when they are sent."""
    order = sorted(range(len(plan)), key=lambda i: plan[i].start)
    place = {number: i for i, number in enumerate(order)}
    return [plan[i]._replace(needs=tuple(place[number] for number in plan[i].needs)) for i in order]
