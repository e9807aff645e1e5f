"""A schedule in batches, in the number of chunks that brings these near what is proven."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

from schedsolve.machines.batches import MOST_FILLED, BatchSearch
from schedsolve.machines.movement.movement import MOST_TRANSFERS, Movement
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.timing import LONG_MESSAGES, Costs

NEAR, GAIN = 1.03, 0.99
"""Batches within the first of what is proven are not tried with more chunks; nor if these do not reach the
second of their time.
"""
FAR = 1.05
"""Batches beyond this get four times as many chunks, others twice."""
MOST_VAIN = 2
"""So often there are more chunks without a gain."""
MOST_CHUNKS = 2000
"""Of a unit, that are tried."""
FILLED_FIRST = 200_000
"""Transfers that are put into batches, in all passes, to compare numbers of chunks."""
MOST_SECONDS = 15.0
"""Of computing, after which the best batches so far are taken; no other chunks are tried after half of it."""


def movement_in_batches(
    source: SavedSchedule,
    chunks: int | None = None,
    costs: Costs | None = None,
    most_transfers: int = MOST_TRANSFERS,
    too_large: Callable[[Movement], object] = lambda _: False,
) -> Movement:
    """Return a schedule as data that move in batches.

    They fill and empty the network a batch at a time, and the smaller a chunk the shorter are those batches.

    Parameters
    ----------
    source
        The schedule.
    chunks
        Of a unit; where None, more and more of them are tried as long as they help.
    costs
        By which batches are compared; bandwidth alone unless given.
    most_transfers
        With more, no number of chunks is tried.
    too_large
        Whether a movement is: if it is in the least number of chunks, it is not put into batches.

    Raises
    ------
    InputError
        If the schedule is not complete or is no movement of data, and for chunks with far more transfers.
    """
    priced, start = costs or LONG_MESSAGES, process_time()
    moved = partial(source.movement, most_transfers=most_transfers, in_batches=True, costs=costs)

    if chunks is not None:
        return _searched(moved(chunks), priced, MOST_FILLED, start)[0].result()
    coarsest = moved(None)
    if too_large(coarsest):
        return coarsest
    best, spent = _searched(coarsest, priced, FILLED_FIRST, start)
    least, vain = _least_seconds(source, best.movement, priced), 0
    first = count = best.movement.chunks
    most = min(MOST_CHUNKS, count * most_transfers // max(1, best.movement.messages)) // count * count
    while best.seconds > NEAR * least and vain < MOST_VAIN and count < most:
        now = process_time()
        # So many times the chunks take about so many times as long.
        times = min(4 if best.seconds > FAR * least else 2, int((start + MOST_SECONDS - now) / spent))
        if now > start + MOST_SECONDS / 2 or times < 2:
            break
        count = min(times * count, most)
        more, spent = _searched(moved(count), priced, FILLED_FIRST, start)
        vain = 0 if more.seconds <= GAIN * best.seconds else vain + 1
        if more.seconds < best.seconds and more.movement.chunks > first:
            best = more
    if best.seconds > NEAR * least:
        best.run(until=start + MOST_SECONDS)
    return best.result()


def _searched(movement: Movement, costs: Costs, most_filled: int, start: float) -> tuple[BatchSearch, float]:
    """Return the search for batches of a movement, and how many seconds it took.

    start: the processor time from which `MOST_SECONDS` count.
    """
    began = process_time()
    search = BatchSearch(movement, costs)
    search.run(most_filled, start + MOST_SECONDS)
    return search, max(process_time() - began, 1e-6)


def _least_seconds(source: SavedSchedule, movement: Movement, costs: Costs) -> float:
    """Return the seconds that are proven to be needed; 0 where that is not known."""
    proven = source.proven(movement)
    return float(costs.beta * costs.size * proven.time) if proven else 0.0
