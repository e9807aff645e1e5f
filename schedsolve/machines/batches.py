"""A movement in batches: for programs whose ranks send and receive a batch at a time.

Batches are filled one after the other, with transfers whose data are there, as far as their links have room
(list scheduling: Graham, 1969): chunks of low numbers before others, and those before that more has to
follow. With room for a w-th of what the busiest link carries, some w batches are enough, and as many more as
the movement is deep; so their times, each as long as its busiest link, add up to little more than it needs.
The room of a batch grows as long as the busy links have something to carry for almost all of what is added:
so the first batches and the last ones, in which data spread and come in, are short. Then all are filled again
from the last one on, what was late before what was early, and again from the first one on, as long as this
helps (forward-backward improvement: Li and Willis, 1992).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import product
from math import inf
from time import process_time

from schedsolve.machines.batch_filling import Batches, Filling, Room
from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.timing import Costs

MULTIPLES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32)
"""For so many chunks on the slowest link a batch has room in any case."""
USES = (0.97, inf, 0.9)
"""Its room grows while busy links use this share of what is added; it does not grow in the second case."""
URGENCIES = (3, 1, 10)
"""How many batches a transfer may overtake for another that has to follow it."""
MOST_PASSES, MOST_VAIN = 8, 2
"""So often batches are filled again, in turn from the last one and from the first one on, and in vain."""
HOPELESS = 1.01
"""Batches that still take so many times as long as the best are not filled again."""
MOST_FILLED = 700_000
"""Transfers, in all passes: when so many were filled into batches, no other rooms are tried."""
ENOUGH, EXACT = 1.004, 1 + 1e-9
"""Of two numbers of batches the smaller is taken where it takes at most this many times as long; the second
where batches are as short as they can be.
"""


def in_batches(movement: Movement, costs: Costs) -> Movement:
    """Return the movement with its transfers in batches, as its steps.

    Parameters
    ----------
    movement
        What is carried out, in any steps.
    costs
        By which batches are compared, each as long as its busiest link.
    """
    search = BatchSearch(movement, costs)
    search.run()
    return search.result()


class BatchSearch:
    """The search for the batches of a movement, which can be resumed.

    What a rank sends in a step is what it has by the steps before, as in every movement.

    Attributes
    ----------
    movement
        What is carried out, in any steps.
    found
        The best batches for each of the rooms that were tried, and the steps as they are.
    """

    def __init__(self, movement: Movement, costs: Costs) -> None:
        self.movement, self.filling = movement, Filling(movement, costs)
        self.found = [self.filling.as_it_is()] if self.filling.groups else []
        self.uses: Sequence[float] = USES
        self.urgencies: Sequence[int] = URGENCIES
        self.until = inf
        self.left = self._tries() if self.found else iter(())

    def run(self, most_filled: int = MOST_FILLED, until: float = inf) -> None:
        """Try rooms until all links are busy all the time, or the rooms that help were tried.

        Parameters
        ----------
        most_filled
            Transfers, in all passes, after which no other rooms are tried.
        until
            The time of the processor after which nothing else is tried.
        """
        self.until = until
        while not (self.filling.passes * len(self.filling.groups) > most_filled or self._ends()):
            if next(self.left, None) is None:
                return

    def result(self) -> Movement:
        """Return the movement in the fewest batches that are nearly as fast as the best."""
        if not self.found:
            return self.movement
        within = EXACT if self._is_exact() else ENOUGH
        good = [one for one in self.found if one.seconds <= within * self.seconds]
        return self.filling.steps(min(good, key=lambda one: one.count))

    @property
    def seconds(self) -> float:
        """The time of the best batches."""
        return min((one.seconds for one in self.found), default=0.0)

    def _is_exact(self) -> bool:
        return self.seconds <= EXACT * self.filling.least

    def _ends(self) -> bool:
        return self._is_exact() or process_time() > self.until

    def _tries(self) -> Iterator[Batches]:
        """Yield the best batches for some rooms.

        These are multiples of the longest transfer, the most promising first, as long as they help. The use
        and the urgency that are best for the first multiple are kept for the others.
        """
        best, vain = inf, 0
        for multiple in sorted(MULTIPLES, key=self.filling.expected):
            found = yield from self._by_multiple(multiple)
            vain = 0 if found < best else vain + 1
            best = min(best, found)
            if vain == MOST_VAIN:
                return

    def _by_multiple(self, multiple: int) -> Generator[Batches, None, float]:
        """Yield the best batches for a multiple, and return the time of the best of them."""
        tried: list[tuple[float, float, int]] = []
        for urgency, use in product(self.urgencies, self.uses):
            room = Room(multiple * self.filling.longest, use)
            best = self._improved(self.filling.forward(room, urgency), room)
            self.found.append(best)
            tried.append((best.seconds, use, urgency))
            yield best
        seconds, use, urgency = min(tried)
        self.uses, self.urgencies = (use,), (urgency,)
        return seconds

    def _improved(self, best: Batches, room: Room) -> Batches:
        """Return the best of the batches that are filled again, from the other end in turn."""
        last, vain = best, 0
        for number in range(MOST_PASSES):
            backward = number % 2 == 0
            sign = -1.0 if backward else 1.0
            last = self.filling.filled(room, [sign * place for place in last.of_group], backward=backward)
            vain = 0 if last.seconds < best.seconds else vain + 1
            best = min(best, last, key=lambda one: one.seconds)
            hopeless = number + 1 >= MOST_VAIN and best.seconds > HOPELESS * self.seconds
            exact = best.seconds <= EXACT * self.filling.least
            if vain == MOST_VAIN or hopeless or exact or process_time() > self.until:
                break
        return best
