"""Pictures of schedules in steps: chunks by colour, the loads of links, paths through switches."""

from __future__ import annotations

import pytest

from schedsolve import Network, build_problem
from schedsolve.drawing.page.page import trace_data
from schedsolve.drawing.traces.by_model.synchronous import trace
from schedsolve.models.synchronous.constructions.shortest_ways import shortest_ways


@pytest.mark.parametrize(
    ("task", "meaning"),
    [
        ("allgather", ["from 0", "from 1", "from 2", "from 3"]),
        ("gather", ["from 0", "from 1", "from 2", "from 3"]),
        ("scatter", ["for 0", "for 1", "for 2", "for 3"]),
        ("broadcast", ["chunk 0", "chunk 1"]),
    ],
)
def test_colours_say_whose_chunks_they_are(task: str, meaning: list[str]) -> None:
    """Every transfer has chunks of one colour only; its text names them, and its nodes the switches."""
    problem = build_problem(
        "synchronous", task, Network.from_spec("leaf-spine:2,2,1"), {"steps": 1, "chunks": 2}
    )
    schedule = shortest_ways(problem, 2)
    told = trace(problem, schedule)
    assert list(told.colours) == trace_data(told)["colours"] == meaning
    (step,) = told.steps
    carried = {}
    for transfer in step.transfers:
        chunks = [int(word) for word in transfer.text.split(",")]
        assert transfer.colour is not None
        assert {chunk if task == "broadcast" else chunk // 2 for chunk in chunks} == {transfer.colour}
        carried[transfer.nodes, transfer.colour] = chunks
        assert set(transfer.nodes[1:-1]) <= told.relays
    sent = {(send.sender, send.receiver): set(send.chunks) for send in schedule.steps[0].sends}
    for ends, chunks_sent in sent.items():
        of_ends = [chunks for (nodes, _), chunks in carried.items() if (nodes[0], nodes[-1]) == ends]
        assert set().union(*of_ends) == chunks_sent
    assert max(load.load for load in step.loads) <= max(load.capacity for load in step.loads)
