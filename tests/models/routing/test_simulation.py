"""Random routing: what a round does, the paper's figures, patterns, and that the same seed gives the same
result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from schedsolve.models.routing.constructions import ports_to
from schedsolve.models.routing.patterns import draw_messages, permutation
from schedsolve.models.routing.rules import turning_level
from schedsolve.models.routing.simulation.clock import Backoff, delivery_time
from schedsolve.models.routing.simulation.experiment import experiment, run_experiment
from schedsolve.models.routing.simulation.simulation import Rules, first_of_each, send_round
from schedsolve.runtime.errors import InputError
from tests.reference.routing_reference import walk

cached_walk = cache(walk)
ALL_RULES = [Rules(winner, losers) for winner, losers in product(("random", "first"), ("hold", "release"))]  # type: ignore[arg-type]


def one_round(n: int, pattern: str, rules: Rules, seed: int) -> tuple[list[Any], list[bool]]:
    """For one round of all messages of a pattern: the wires down of every message, and which were delivered;
    wires up are checked here.
    """
    generator = np.random.default_rng(seed)
    source, destination = draw_messages(pattern, n, n - 1 if pattern == "all-to-one" else n, 1, generator)
    delivered, router = send_round(source, destination, rules, generator)
    ups: Counter[Any] = Counter()
    downs = []
    for s, d, r in zip(source.tolist(), destination.tolist(), router.tolist(), strict=True):
        wires = walk(n, (s, d), ports_to(r, turning_level(s, d)))
        ups.update(w for w in wires if w[0] == "up")
        downs.append([w for w in wires if w[0] == "down"])
    assert set(ups.values()) <= {1}
    return downs, delivered.tolist()


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("pattern", ["random", "bit-reversal", "all-to-one"])
def test_a_round_keeps_the_rules(rules: Rules, pattern: str) -> None:
    """Messages share no wire up, those delivered share no wire down, and every rejected one was kept out by
    another on its way.

    With "release" it was kept out by one that was delivered.
    """
    for seed in range(10):
        downs, delivered = one_round(16, pattern, rules, seed)
        used = [wire for way, done in zip(downs, delivered, strict=True) if done for wire in way]
        assert len(set(used)) == len(used)
        assert any(delivered)
        wanted = Counter(wire for way in downs for wire in way)
        for way, done in zip(downs, delivered, strict=True):
            if not done and rules.losers == "release":
                assert set(way) & set(used)
            elif not done:
                assert any(wanted[wire] > 1 for wire in way)


@pytest.mark.parametrize("rules", [r for r in ALL_RULES if r.losers == "hold"])
def test_one_of_the_messages_at_a_wire_passes(rules: Rules) -> None:
    """Level by level from the top: whoever has won every wire so far contends for the next, and at each wire
    exactly one passes.

    So every wire to a node that some message reached has a delivered message, and with no contention
    everything is delivered.
    """
    for seed in range(20):
        downs, delivered = one_round(8, "random", rules, seed)
        alone = Counter(wire for way in downs for wire in way)
        for way, done in zip(downs, delivered, strict=True):
            if all(alone[wire] == 1 for wire in way):
                assert done


def test_the_first_to_arrive_wins() -> None:
    """With "first", a message from the sibling node, which turned at level 0, is never rejected."""
    source, destination = np.array([0, 2, 3], dtype=np.int32), np.array([1, 1, 1], dtype=np.int32)
    for seed in range(50):
        generator = np.random.default_rng(seed)
        for losers in ("hold", "release"):
            delivered, _ = send_round(source, destination, Rules("first", losers), generator)
            assert delivered.tolist() == [True, False, False]


def test_the_random_winner_is_fair_at_every_wire() -> None:
    """Of 0, 2, 3 -> 1 in the network of four, each wins the wire to node 1 with probability 1/3 when both
    distant ones get that far.
    """
    generator = np.random.default_rng(1)
    runs = 6000
    base = np.arange(runs, dtype=np.int32)[:, None] * 4
    source, destination = (
        (base + np.array([0, 2, 3])).ravel().astype(np.int32),
        (base + 1).repeat(3, axis=1).ravel().astype(np.int32),
    )
    delivered, _ = send_round(source, destination, Rules(), generator)
    wins = delivered.reshape(runs, 3).mean(axis=0)
    # The two from nodes 2 and 3 leave their router by different ports, so both come down to the last router.
    assert np.abs(wins - 1 / 3).max() < 4 * (2 / 9 / runs) ** 0.5


@pytest.mark.parametrize("image", [[4, 5, 0, 6, 7, 2, 1, 3], [2, 1, 0, 4, 3, 7, 5, 6], None])
def test_the_first_round_on_eight_nodes(image: list[int] | None) -> None:
    """How often everything passes in one round, against all ways to set the routers; the bit reversal (None)
    always passes.
    """
    n, runs = 8, 20_000
    messages = [(v, d) for v, d in enumerate(image or permutation("bit-reversal", n).tolist()) if v != d]
    good = Fraction(0)
    routers = sorted(
        {(level, v >> (level + 1), r) for v in range(n) for level in range(2) for r in range(1 << level)}
    )
    for setting in product((0, 1), repeat=len(routers)):
        flip = dict(zip(routers, setting, strict=True))
        ways: list[tuple[int, ...]] = []
        for s, d in messages:
            router = 0
            ports = []
            for level in range(turning_level(s, d)):
                ports.append(flip[level, s >> (level + 1), router] ^ (s >> level & 1))
                router |= ports[-1] << level
            ways.append(tuple(ports))
        wires = [
            wire for message, way in zip(messages, ways, strict=True) for wire in cached_walk(n, message, way)
        ]
        good += len(set(wires)) == len(wires)
    expected = float(good / 2 ** len(routers))
    assert 0 < expected <= 1
    assert (expected == 1) == (image is None)
    summary = run_experiment(experiment(n, messages=messages), runs, seed=3)
    assert abs(summary.counts.get(1.0, 0) / runs - expected) <= 4 * (expected * (1 - expected) / runs) ** 0.5


def test_the_mean_at_64() -> None:
    """n = m = 64, 2000 runs: the mean is within 0.3 of 4.8."""
    summary = run_experiment(experiment(64), 2000, seed=1)
    assert abs(summary.mean - 4.8) <= 0.3
    assert len(summary.values) == 2000


@pytest.mark.parametrize("rules", ALL_RULES)
def test_all_to_one_takes_as_many_rounds_as_messages(rules: Rules) -> None:
    """One message arrives in every round."""
    for n, m in ((2, 1), (4, 3), (16, 5), (64, 63)):
        summary = run_experiment(replace(experiment(n, "all-to-one", m), rules=rules), 20, seed=1)
        assert (summary.least, summary.greatest) == (m, m)


def test_half_a_turn_never_collides() -> None:
    """The cyclic shift by n/2 takes one round for any number of messages: so fewer messages do not always
    take strictly fewer rounds.
    """
    for m in (1, 5, 16):
        assert run_experiment(experiment(16, "shift:8", m), 50, seed=1).greatest == 1


def test_permutations_take_fewer_rounds_than_random_messages() -> None:
    """Transpose, bit reversal and every shift are below random messages (Figs. 6 and 7); a shift by one never
    collides.
    """
    random_mean = run_experiment(experiment(64), 300, seed=1).mean
    assert run_experiment(experiment(64, "shift:1"), 300, seed=1).greatest == 1
    for pattern in ("transpose", "bit-reversal", "shift:3", "shift:21", "shift:31"):
        assert 1 < run_experiment(experiment(64, pattern), 300, seed=1).mean < random_mean


def test_several_messages_of_one_source_wait() -> None:
    """A node sends its messages one after the other: two of them take two rounds."""
    assert run_experiment(experiment(8, messages=[(0, 5), (0, 6), (1, 0)]), 20, seed=1).least == 2
    assert first_of_each(np.array([3, 1, 3, 1, 2])).tolist() == [True, True, False, False, True]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of four runs of 16 nodes."""
    monkeypatch.setattr("schedsolve.models.routing.simulation.experiment.BATCH_NODES", 64)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("retry", ["rounds", "immediate", "backoff"])
def test_the_same_seed_gives_the_same_result(retry: str) -> None:
    """For a number of runs that fills several batches; a batch depends on the seed and its number only."""
    asked = experiment(16, retry=retry)
    values = run_experiment(asked, 30, seed=7).values.tolist()
    assert values == run_experiment(asked, 30, seed=7).values.tolist()
    assert values[:8] == run_experiment(asked, 8, seed=7).values.tolist()
    assert values[:4] != values[4:8]
    assert values != run_experiment(asked, 30, seed=8).values.tolist()


@pytest.mark.usefixtures("small_batches")
def test_two_processes_give_what_one_gives() -> None:
    """Whoever runs a batch, and whichever is done first."""
    asked = experiment(16, retry="immediate")
    alone, shared = (run_experiment(asked, 30, seed=7, workers=workers) for workers in (1, 2))
    assert alone.values.tolist() == shared.values.tolist()


def clocked(n: int, messages: list[tuple[int, int]], unit: Any, seed: int = 1) -> float:
    pairs = np.array(messages, dtype=np.int32)
    return float(delivery_time(pairs[:, 0], pairs[:, 1], n, 1, unit, np.random.default_rng(seed))[0])


def test_one_message_across_the_network_is_the_unit_of_time() -> None:
    """In both units; one to the sibling node takes a router in place of 2 h - 1."""
    for unit in ("round-trip", "one-way"):
        assert clocked(16, [(0, 15)], unit) == 1
        assert clocked(16, [(0, 1)], unit) == pytest.approx(1 / 7)


def test_immediate_retry_cycle_by_cycle() -> None:
    """2 -> 0 and 3 -> 0 on four nodes: both want the last wire in cycle 6; the loser knows in cycle 9, starts
    in 10, arrives in 16, and has its acknowledgment in 19."""
    assert clocked(4, [(2, 0), (3, 0)], "round-trip") == pytest.approx(19 / 9)
    assert clocked(4, [(2, 0), (3, 0)], "one-way") == pytest.approx(16 / 6)


def test_immediate_retry_of_a_queue() -> None:
    """0 -> 1 twice: arrived in cycle 2, acknowledged in 3, the next one starts in 4, arrives in 6, and is
    acknowledged in 7.
    """
    assert clocked(4, [(0, 1), (0, 1)], "round-trip") == pytest.approx(7 / 9)


def test_immediate_retry_without_collisions() -> None:
    """Messages that never collide take the time of one."""
    assert clocked(16, [(v, (v + 8) % 16) for v in range(16)], "round-trip") == 1


def test_immediate_retry_is_faster() -> None:
    """On average by a factor between 1.3 and 2 for random messages (the paper says about two)."""
    for n in (64, 1024):
        rounds, clock = (
            run_experiment(experiment(n, retry=retry), 60, seed=1).mean for retry in ("rounds", "immediate")
        )
        assert 1.3 < rounds / clock < 2


def test_backoff_draws_from_the_seed() -> None:
    """The same seed gives the same times, another seed others."""
    asked = experiment(64, retry="backoff")
    first, again, other = (run_experiment(asked, 20, seed=seed).values.tolist() for seed in (7, 7, 8))
    assert first == again != other


def test_backoff_cycle_by_cycle() -> None:
    """The loser of two starts in cycle 10, or a slot later; with a limit of 0 it never waits."""
    ends = np.array([2, 3], dtype=np.int32), np.array([0, 0], dtype=np.int32)
    times = {
        limit: {
            float(delivery_time(*ends, 4, 1, "round-trip", np.random.default_rng(seed), Backoff(5, limit))[0])
            for seed in range(20)
        }
        for limit in (0, 1)
    }
    assert times == {0: {19 / 9}, 1: {19 / 9, 24 / 9}}


@pytest.mark.parametrize("n", [64, 1024])
@pytest.mark.parametrize("backoff", [Backoff(), Backoff(4), Backoff(None, 3)])
def test_immediate_retry_beats_backoff(n: int, backoff: Backoff) -> None:
    """The paper's claim: the 95 % intervals of the expected times lie apart, immediate retry below."""
    runs = 25600 // n
    immediate = run_experiment(experiment(n, retry="immediate"), max(40, runs), seed=1).confidence_interval
    asked = experiment(n, retry="backoff", backoff=backoff)
    waiting = run_experiment(asked, max(40, runs), seed=2).confidence_interval
    assert immediate is not None
    assert waiting is not None
    assert immediate[1] < waiting[0]


def test_patterns() -> None:
    """The permutations of the paper on 16 nodes, and random messages with distinct sources and no message to
    its own source.
    """
    digits = [f"{v:04b}" for v in range(16)]
    assert [f"{d:04b}" for d in permutation("transpose", 16)] == [x[2:] + x[:2] for x in digits]
    assert [f"{d:04b}" for d in permutation("bit-reversal", 16)] == [x[::-1] for x in digits]
    assert permutation("shift:3", 16).tolist() == [(v + 3) % 16 for v in range(16)]
    source, destination = draw_messages("random", 8, 5, 400, np.random.default_rng(1))
    assert all(len(set(run)) == 5 for run in source.reshape(400, 5).tolist())
    assert (source // 8 == destination // 8).all()
    assert (source != destination).all()
    assert (source // 8 == np.arange(400).repeat(5)).all()
    pairs = Counter(zip((source % 8).tolist(), (destination % 8).tolist(), strict=True))
    assert len(pairs) == 56
    assert max(pairs.values()) < 2.2 * 2000 / 56
    assert len(draw_messages("bit-reversal", 16, 16, 1, np.random.default_rng(1))[0]) == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((12,), "power of two"),
        ((1,), "power of two"),
        ((2**30,), "at most"),
        ((8, "transpose"), "even"),
        ((8, "shift:16"), "own source"),
        ((8, "shift"), "pattern takes"),
        ((8, "random", 9), "at most 8 messages"),
        ((8, "all-to-one", 8), "at most 7 messages"),
        ((8, "random", [(0, 1)]), "give one of them"),
        ((8, None, [(0, 8)]), "not a processing node"),
        ((8, None, [(1, 1)]), "own source"),
        ((8, None, "-1"), "from 0 to 8"),
    ],
)
def test_bad_experiments_are_refused(arguments: tuple[Any, ...], words: str) -> None:
    """In one line that says what would be right."""
    with pytest.raises(InputError, match=words):
        experiment(*arguments)


def test_no_messages_take_no_rounds() -> None:
    """Nothing to do."""
    for retry in ("rounds", "immediate"):
        assert run_experiment(experiment(8, messages=0, retry=retry), 3, seed=1).greatest == 0
