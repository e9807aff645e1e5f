"""The symbolic run of events: what orders two blocks, what counters tell that several raise, and circles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import pytest

from schedsolve.machines.events import Add, BlockEvents, Event, Key, Meet, Raise, Wait
from schedsolve.machines.memory import Memory
from schedsolve.machines.symbolic_run import Outcome, Runner
from schedsolve.machines.symbols import NOTHING, Chunks, Place, added

READY, OTHER = Key("semaphore", (0, 0)), Key("semaphore", (0, 1))


def copy(source: str, target: str) -> Add:
    return Add((Chunks(0, source, 0, 1),), (Chunks(0, target, 0, 1),))


WRITES, READS = copy("i", "s"), copy("s", "o")


def _one(events: Sequence[Event], number: int) -> Iterator[Event]:
    yield events[number]


def run(*blocks: Sequence[Event]) -> Outcome:
    """Run blocks of one gpu, an event a step."""
    named = [
        BlockEvents(0, f"block {b}, step", len(events), partial(_one, events))
        for b, events in enumerate(blocks)
    ]
    return Runner(named, Memory(None, [1], in_place=False), {}, calls=1).run()


@pytest.mark.parametrize(
    ("writer", "reader", "races"),
    [
        ((WRITES, Meet(), Raise((READY,))), (Wait((READY,)), Meet(), READS), False),
        ((WRITES, Raise((READY,))), (Wait((READY,)), Meet(), READS), True),
        ((WRITES, Meet(), Raise((READY,))), (Wait((READY,)), READS), True),
        ((WRITES, Meet(), Raise((READY,), relaxed=True)), (Wait((READY,)), Meet(), READS), True),
        ((WRITES, Meet(), Raise((READY,), silent=True)), (Wait((READY,)), Meet(), READS), True),
        ((WRITES, Meet(), Raise((READY,))), (Wait((READY,), relaxed=True), Meet(), READS), True),
        ((WRITES, Meet(0, 2)), (Meet(0, 2), READS), False),
        ((WRITES, Meet()), (Meet(), READS), True),
    ],
)
def test_what_orders_two_blocks(writer: Sequence[Event], reader: Sequence[Event], races: bool) -> None:
    """A counter that is raised after the threads have met, and waited for before they meet; or a barrier."""
    outcome = run(writer, reader)
    assert outcome.deadlock is None
    assert outcome.left is None
    assert (outcome.memory.race is not None) == races
    assert outcome.memory.get(0, Place("o", 0)) == (0, 1)


def test_one_of_two_that_raise_a_counter() -> None:
    """A wait for it tells nothing of either, until both have raised it."""
    raising = (WRITES, Meet(), Raise((READY,)))
    other = (Raise((READY,)),)
    assert run(raising, other, (Wait((READY,)), Meet(), READS, Meet(), Wait((READY,)))).memory.race
    assert not run(raising, other, (Wait((READY,)), Wait((READY,)), Meet(), READS)).memory.race


def test_who_waits_for_whom() -> None:
    """In a circle, for nobody, and for a barrier to which too few come; what is raised for nobody is left."""
    circle = run((Wait((READY,)), Raise((OTHER,))), (Wait((OTHER,)), Raise((READY,))))
    assert circle.deadlock == (
        "block 0, step 0 waits for semaphore 0 of gpu 0; block 1, step 0 waits for semaphore 1 of gpu 0, in a"
        " circle"
    )
    nobody = run((Raise((READY,)), Wait((READY,)), Wait((READY,))))
    assert nobody.deadlock == "block 0, step 2 waits for semaphore 0 of gpu 0, which nobody raises"
    assert run((Meet(1, 2),)).deadlock == "block 0, step 0 waits at barrier 1 for 2 blocks, and 1 come"
    assert run((Raise((READY,)),)).left == (READY, 1, 0)


def test_sums_of_symbols() -> None:
    """Of nothing, of what is wrong already, of two chunks, of one chunk twice, and where nothing is added."""
    assert added((3, 0b01), (3, 0b10), True) == (3, 0b11)
    for one in (NOTHING, "the sum of chunks 0 and 1"):
        words = "a sum with nothing" if one == NOTHING else one
        assert added(one, (3, 1), True) == added((3, 1), one, True) == words
    assert added((3, 1), (4, 2), True) == "the sum of chunks 3 and 4"
    assert added((3, 1), (3, 2), False) == "the sum of chunks 3 and 3"
    assert added((3, 0b111), (3, 0b100), True) == "chunk 3 with the contribution of gpu 2 counted twice"
