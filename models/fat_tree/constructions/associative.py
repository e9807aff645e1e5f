"""Products and prefixes from broadcasts: a product is a broadcast run backwards, a prefix adds a broadcast.

1. Run backwards, with every message reversed, a broadcast from a root brings everything to the root: a
   processor sends what it holds, and then no longer holds it.
2. That keeps the order of the operands as long as what a processor holds when it sends is one run of
   them. This is so for the messages of Algorithms 1 and 2, including those that in the broadcast bring
   the message to a processor that holds it already.
3. In the broadcast of a prefix, the processor that sent the run a..b is sent the product of the
   operands before a, from which it makes what it needs.

Source: the paper's section 5, where the product of a reversed broadcast is said to need commutativity
in general.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from schedsolve.runtime.errors import InputError

from ..rules import Run


class Planned(NamedTuple):
    """A message of a plan, with the times when it is sent and when it has arrived.

    In rounds these are the times when its round begins and ends. `operands` is the run it carries, empty in
    a broadcast; `needs` are the numbers of the messages of the plan from which its content comes.
    """

    sender: int
    receiver: int
    start: int
    arrival: int
    operands: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()


def moved_to(plan: Iterable[Planned], source: int) -> list[Planned]:
    """Return a broadcast from processor 0 as one from the source, by an automorphism of the tree."""
    return [m._replace(sender=m.sender ^ source, receiver=m.receiver ^ source) for m in plan]


def backwards(plan: Iterable[Planned]) -> list[Planned]:
    """Return the messages of a plan reversed, in the order of sending.

    They are sent when they arrived, as counted from the end.
    """
    real = [m for m in plan if m.sender != m.receiver]
    end = max((m.arrival for m in real), default=0)
    turned = [Planned(m.receiver, m.sender, end - m.arrival, end - m.start) for m in real]
    return sorted(turned, key=lambda m: m.start)


def product_plan(plan: Sequence[Planned], processors: int, root: int) -> list[Planned]:
    """Return the product at the root, from a broadcast plan from the root (steps 1 and 2 above).

    Messages of processors that hold nothing are left out.

    Raises
    ------
    InputError
        If a processor would have to send more than one run of operands.
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
    """Return the run that adjacent runs form together, and the messages that brought them."""
    runs = sorted(held)
    if any(one[1] + 1 != other[0] for one, other in pairwise(runs)):
        raise InputError(
            "in this order a processor would have to send a product of operands that are not consecutive"
        )
    return (runs[0][0], runs[-1][1]), tuple(number for number in held.values() if number >= 0)


def prefix_plan(product: Sequence[Planned]) -> list[Planned]:
    """Return the prefix from a plan of the product at processor 0 (step 3 above).

    To its messages are added those that bring back to every sender the product of the operands before its
    run. For this the receiver of the run needs the product of the operands before the run that it sent on
    itself, and the runs that it joined in front.
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
    """Return the same messages, sorted by the time when they are sent."""
    order = sorted(range(len(plan)), key=lambda i: plan[i].start)
    place = {number: i for i, number in enumerate(order)}
    return [plan[i]._replace(needs=tuple(place[number] for number in plan[i].needs)) for i in order]
