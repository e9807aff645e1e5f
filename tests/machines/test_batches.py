"""Movements in batches: the same data move, in an order that every rank can follow."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import inf
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import build_problem, solve
from schedsolve.machines import batches, chunks_in_batches
from schedsolve.machines.batch_filling import Filling, Room
from schedsolve.machines.batches import BatchSearch, in_batches
from schedsolve.machines.movement.collectives import Layout
from schedsolve.machines.movement.movement import Movement, MovementStep, Transfer
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.timing import LONG_MESSAGES, STEPS, Costs, timing
from schedsolve.network.graph import Network
from schedsolve.network.named.spec import network_from_spec

PROBLEMS = {
    "pipelined allreduce cycle:5": ("pipelined", "allreduce", "cycle:5", {}),
    "pipelined allgather a100:1": ("pipelined", "allgather", "a100:1", {}),
    "pipelined alltoall path:4": ("pipelined", "alltoall", "path:4", {}),
    "synchronous allreduce cycle:4": ("synchronous", "allreduce", "cycle:4", {"steps": 2}),
}


def carried_out(movement: Movement) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """What every rank has of every chunk in the end: the inputs, as often as they were added up."""
    layout, ranks = movement.layout, range(movement.layout.ranks)
    held = {(r, c): [(r, c)] for r in ranks for c in layout.inputs(r)}
    for step in movement.steps:
        before = dict(held)
        for transfer in step.transfers:
            sender, receiver = movement.rank[transfer.sender], movement.rank[transfer.receiver]
            for c in transfer.chunks:
                own = held.get((receiver, c), []) if transfer.adds else []
                held[receiver, c] = sorted(own + before[sender, c])
    return {(r, c): held[r, c] for r in ranks for c in layout.outputs(r)}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_same_comes_out(name: str) -> None:
    """At every rank every chunk of the output, added up as often."""
    model, task, network, options = PROBLEMS[name]
    result = solve(build_problem(model, task, network, options))
    assert result.indexed is not None
    source = SavedSchedule("it", result.placed, result.indexed, result)
    for chunks in (None, 12):
        movement = source.movement(chunks)
        batched = in_batches(movement, LONG_MESSAGES)
        assert carried_out(batched) == carried_out(movement)
        moved = [sorted(t for step in m.steps for t in step.transfers) for m in (movement, batched)]
        assert moved[0] == moved[1]
        assert timing(batched, LONG_MESSAGES, STEPS).seconds <= timing(movement, LONG_MESSAGES, STEPS).seconds


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_sums(data: st.DataObject) -> None:
    """Of any transfers, those that write what others send in the same step among them."""
    network = network_from_spec("complete:4")
    transfers = st.builds(
        lambda ends, chunk, adds: Transfer(ends[0], ends[1], (chunk,), adds),
        st.sampled_from([(u, v) for u in range(4) for v in range(4) if u != v]),
        st.integers(0, 2),
        st.booleans(),
    )
    steps = data.draw(st.lists(st.lists(transfers, max_size=4, unique_by=lambda t: t[1:3]), max_size=6))
    movement = Movement("allreduce", network, 3, tuple(MovementStep(1, tuple(s)) for s in steps))
    assert carried_out(in_batches(movement, LONG_MESSAGES)) == carried_out(movement)


def test_summands_arrive_in_one_batch() -> None:
    """Three ranks send to one what it adds up, in steps of their own: nothing waits for anything."""
    steps = tuple(MovementStep(1, (Transfer(v, 0, (0,), adds=True),)) for v in (1, 2, 3))
    movement = Movement("reduce", network_from_spec("star:4"), 1, steps, 0)
    batched = in_batches(movement, LONG_MESSAGES)
    assert len(batched.steps) == 1
    assert carried_out(batched) == carried_out(movement)


def test_an_overwritten_sum_stays_in_order() -> None:
    """What is added comes behind what takes the place, and the other way round."""
    places, adds = Transfer(1, 0, (0,)), Transfer(2, 0, (0,), adds=True)
    for first, second in ((places, adds), (adds, places)):
        steps = (MovementStep(1, (first,)), MovementStep(1, (second,)))
        movement = Movement("reduce", network_from_spec("star:4"), 1, steps, 0)
        assert in_batches(movement, LONG_MESSAGES).steps == steps


def test_a_batch_grows_while_busy_links_are_used() -> None:
    """A node has six chunks for its neighbour at once; the hop behind waits for each of them."""
    steps = tuple(MovementStep(1, (Transfer(0, 1, (c,)),)) for c in range(6))
    one = Movement("broadcast", network_from_spec("path:2"), 6, steps, 0)
    filling = Filling(one, LONG_MESSAGES)
    assert filling.forward(Room(1.0), 1).count == 6
    assert filling.forward(Room(1.0, 0.9), 1).count == 1
    on = tuple(MovementStep(1, (Transfer(1, 2, (c,)),)) for c in range(6))
    two = Movement("broadcast", network_from_spec("path:3"), 6, steps + on, 0)
    filling = Filling(two, LONG_MESSAGES)
    assert filling.forward(Room(1.0), 1).count == 7
    assert filling.forward(Room(1.0, 0.9), 1).seconds == pytest.approx(7 / 6)
    assert filling.forward(Room(1.0, 0.4), 1).count == 2


def test_rooms_fit_chunks_on_all_busy_links() -> None:
    """A chunk takes 12 s over one link and 5 s over the next: 12 of these fit into 5 of the others."""
    network = Network.from_labels([0, 1, 2], [(0, 1), (1, 2)], bandwidths=[Fraction(1, 12), Fraction(1, 5)])
    hops = [Transfer(0, 1, (c,)) for c in range(500)] + [Transfer(1, 2, (c,)) for c in range(1200)]
    steps = tuple(MovementStep(1, (hop,)) for hop in hops)
    movement = Movement("broadcast", network, 1200, steps, 0)
    filling = Filling(movement, LONG_MESSAGES)
    assert min(batches.MULTIPLES, key=filling.expected) == 5
    dear = Filling(movement, Costs(Fraction(1000), Fraction(1), 1))
    assert min(batches.MULTIPLES, key=dear.expected) == max(batches.MULTIPLES)


def test_growing_batches_are_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """An allgather on two servers takes less time in batches that grow than in batches alike."""
    result = solve(build_problem("pipelined", "allgather", "h100:2"))
    assert result.indexed is not None
    movement = SavedSchedule("it", result.placed, result.indexed, result).movement(16, in_batches=True)
    growing = BatchSearch(movement, LONG_MESSAGES)
    growing.run()
    monkeypatch.setattr(batches, "USES", (inf,))
    alike = BatchSearch(movement, LONG_MESSAGES)
    alike.run()
    assert growing.seconds < alike.seconds


def test_a_search_is_resumed() -> None:
    """It goes on where it stopped, and gets no worse."""
    result = solve(build_problem("pipelined", "allreduce", "mi250:1"))
    assert result.indexed is not None
    movement = SavedSchedule("it", result.placed, result.indexed, result).movement(48, in_batches=True)
    search, whole = (BatchSearch(movement, LONG_MESSAGES) for _ in range(2))
    search.run(most_filled=1)
    first, tried = search.seconds, len(search.found)
    assert tried == 2
    search.run()
    whole.run()
    assert search.found == whole.found
    assert search.seconds <= first


@pytest.mark.parametrize(("step", "tried"), [(0.0, True), (6.0, False)])
def test_more_chunks_are_tried_where_they_fit_the_time(
    step: float, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one number of chunks took 6 s, one twice as large would not end in the 9 s that are left."""
    result = solve(build_problem("pipelined", "allgather", "torus:3x3"))
    assert result.indexed is not None
    source = SavedSchedule("it", result.placed, result.indexed, result)
    first = source.movement(in_batches=True).chunks
    clock = count(process_time(), step)
    monkeypatch.setattr(chunks_in_batches, "process_time", lambda: next(clock))
    assert (chunks_in_batches.movement_in_batches(source).chunks > first) == tried


def test_what_more_has_to_follow_goes_first() -> None:
    """A transfer that a chain of three waits for comes before six that nothing waits for."""
    alone = [Transfer(0, 1, (c,)) for c in range(1, 7)]
    steps = [[*alone, Transfer(0, 1, (0,))], [Transfer(1, 2, (0,))], [Transfer(2, 3, (0,))]]
    movement = Movement(
        "broadcast", network_from_spec("path:4"), 7, tuple(MovementStep(1, tuple(s)) for s in steps), 0
    )
    batched = in_batches(movement, LONG_MESSAGES)
    assert timing(batched, LONG_MESSAGES, STEPS).seconds == 1


def test_few_batches_where_latency_costs() -> None:
    """A pipelined schedule has fewer of them for small messages."""
    result = solve(build_problem("pipelined", "allgather", "dgx1"))
    assert result.indexed is not None
    movement = SavedSchedule("it", result.placed, result.indexed, result).movement()
    long = in_batches(movement, LONG_MESSAGES)
    short = in_batches(movement, Costs(Fraction(1), Fraction(1), 1))
    assert len(short.steps) < len(long.steps)


def test_nothing_to_send() -> None:
    """A movement without transfers has no batches."""
    movement = Movement("allgather", network_from_spec("path:1"), 1, ())
    assert in_batches(movement, LONG_MESSAGES).steps == ()
    assert Layout("allgather", 1, 1).ranks == 1
