"""Schedules followed for one block of items after the other, against all items at once."""

from __future__ import annotations

import random

import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.task import item_blocks
from schedsolve.modelkit.useful_calls import traced_calls
from schedsolve.models import replay


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of three items."""
    monkeypatch.setattr("schedsolve.modelkit.task.BLOCK_KNOWLEDGE", 3)
    monkeypatch.setattr("schedsolve.modelkit.task.LEAST_BLOCK", 3)


def random_schedule(seed: int, two_way: bool, gossip: bool) -> Schedule:
    """Rounds of one or two calls in a cycle of eight nodes; those of a gossip go all the way round twice."""
    rng = random.Random(seed)
    links = [(v, (v + 1) % 8) for v in range(8)]
    rounds = [[link] for link in links * 2] if gossip else []
    for _ in range(rng.randrange(10)):
        v = rng.randrange(8)
        rounds.insert(rng.randrange(len(rounds) + 1), [links[v], links[(v + 2 + rng.randrange(3)) % 8]])
    if gossip and rng.random() < 0.5:
        del rounds[rng.randrange(len(rounds))]
    return Schedule.two_way(rounds) if two_way else Schedule.one_way(rounds)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("model", ["telephone", "telegraph", "line", "telephone --period"])
def test_blocks_say_what_all_items_say(seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict, its words and the calls that are kept."""
    task = "accumulation" if seed % 3 == 0 else "gossip"
    schedule = random_schedule(seed, model.startswith("telephone"), gossip=seed % 2 == 0)
    parameters = {"root": 5} if task == "accumulation" else {}
    if model.endswith("--period"):
        parameters["period"] = len(schedule.rounds) + 1
    problem = build_problem(model.split(maxsplit=1)[0], task, Network.from_spec("cycle:8"), parameters)
    in_blocks = replay(problem, schedule), traced_calls(problem.demands(), schedule)
    assert len(list(problem.demands())) == 3
    monkeypatch.setattr("schedsolve.modelkit.task.LEAST_BLOCK", 8)
    assert len(list(problem.demands())) == 1
    assert in_blocks == (replay(problem, schedule), traced_calls([problem.demand()], schedule))


def test_blocks_partition_the_items() -> None:
    """All items once, in order; a single block while it is small."""
    assert list(item_blocks(5000)) == [range(5000)]
    blocks = list(item_blocks(100_000))
    assert [v for block in blocks for v in block] == list(range(100_000))
    assert max(map(len, blocks)) * 100_000 < 2**30
