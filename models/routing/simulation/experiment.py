"""Monte Carlo experiments: many runs of random routing, or of a model of it, and what they show on average.

Runs are simulated in batches of a fixed size, each with a random generator seeded by the experiment's seed
and the batch's number. So the same seed gives the same result, whatever the number of processes that share
the batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

from schedsolve.errors import InputError

from ..patterns import LARGEST_NETWORK, check_count, draw_messages, most_messages, read_messages, read_pattern
from ..rules import Message
from .clock import Backoff, delivery_time
from .collision_model import bin_count, model_rounds
from .simulation import DEFAULT_RULES, Rules, delivery_rounds

if TYPE_CHECKING:
    import numpy as np

BATCH_NODES = 2**16
"""Processing nodes of all runs of a batch together, where a run has no more."""
LARGEST_CLOCKED_NETWORK = 2**22
"""Processing nodes beyond which no cycle-by-cycle simulation is begun, for its memory."""
NORMAL_QUANTILE = 1.959963984540054
LEAST_RUNS_FOR_INTERVAL = 30
"""Of the normal distribution, for a confidence of 95 %."""


DEFAULT_BACKOFF = Backoff()


@dataclass(frozen=True)
class Experiment:
    """What is simulated; see `experiment` for what is checked.

    n: processing nodes. pattern: its name, None where the messages are given. messages: how many, or which.
    system: the network itself, "routers", or the balls-and-bins "model-1" or "model-2". retry: in delivery
    "rounds", or "immediate", or after a "backoff".
    rules, bins, unit, backoff: what the paper leaves open, see `simulation.Rules`,
    `collision_model.bin_count`, `clock.delivery_time` and `clock.Backoff`.
    """

    n: int
    pattern: str | None
    messages: int | tuple[Message, ...]
    system: Literal["routers", "model-1", "model-2"] = "routers"
    retry: Literal["rounds", "immediate", "backoff"] = "rounds"
    rules: Rules = DEFAULT_RULES
    bins: Literal["corollary", "lemma"] = "corollary"
    unit: Literal["round-trip", "one-way"] = "round-trip"
    backoff: Backoff = DEFAULT_BACKOFF

    @property
    def message_count(self) -> int:
        """The number of messages of a run, in a permutation with those to their own source."""
        return self.messages if isinstance(self.messages, int) else len(self.messages)


@dataclass(frozen=True)
class Summary:
    """What some runs show: the mean, its standard error, the extremes, and how often there was each value; a
    run's value by run.
    """

    values: np.ndarray

    @property
    def mean(self) -> float:
        """The mean over the runs."""
        return float(self.values.mean())

    @property
    def least(self) -> float:
        """The least value."""
        return float(self.values.min())

    @property
    def greatest(self) -> float:
        """The greatest value."""
        return float(self.values.max())

    @property
    def confidence_interval(self) -> tuple[float, float] | None:
        """Where the expected value lies with a confidence of 95 %, by the normal approximation; None for too
        few runs.
        """
        if len(self.values) < LEAST_RUNS_FOR_INTERVAL:
            return None
        half = NORMAL_QUANTILE * float(self.values.std(ddof=1)) / sqrt(len(self.values))
        return self.mean - half, self.mean + half

    @property
    def counts(self) -> dict[float, int]:
        """How many runs had each value, in increasing order."""
        import numpy as np

        return {
            float(value): int(count)
            for value, count in zip(*np.unique(self.values, return_counts=True), strict=True)
        }


def experiment(
    n: int, pattern: str | None = None, messages: str | int | list[Message] | None = None, **options: Any
) -> Experiment:
    """An experiment on n processing nodes, checked.

    pattern: its name, random if none is given. messages: a number, a list of pairs, or a file's name; as many
    as the pattern has if not given. options: the other fields of `Experiment`. Raises InputError when n is no
    power of two or too large, or the pattern, the messages or the options do not fit.
    """
    if n < 2 or n & (n - 1):
        raise InputError(f"--nodes takes a power of two of at least 2, not {n}")
    if n > LARGEST_NETWORK:
        raise InputError(f"--nodes takes at most {LARGEST_NETWORK} processing nodes, not {n}")
    given: int | list[Message] | None = None if messages is None else read_messages(messages, n)
    if isinstance(given, list):
        if pattern is not None:
            raise InputError(
                "--pattern says which messages there are, and so does --messages with a file: give one of"
                " them"
            )
        checked = Experiment(n, None, tuple(given), **options)
    else:
        name = read_pattern(pattern or "random", n)
        count = most_messages(name, n) if given is None else given
        check_count(name, n, count)
        checked = Experiment(n, name, count, **options)
    if checked.retry != "rounds" and checked.system != "routers":
        raise InputError(
            f"the balls-and-bins models are for delivery rounds; --retry {checked.retry} is for the routers"
        )
    if checked.retry != "rounds" and n > LARGEST_CLOCKED_NETWORK:
        raise InputError(
            f"--retry {checked.retry} takes at most {LARGEST_CLOCKED_NETWORK} processing nodes, not {n}"
        )
    return checked


def run_experiment(
    asked: Experiment,
    runs: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Summary:
    """Simulate an experiment so many times.

    The value of a run is its number of delivery rounds, or with immediate retry its time in transmission
    times of one message. progress: called with the number of runs done, now and then.
    """
    import numpy as np

    size = max(1, BATCH_NODES // max(asked.n, asked.message_count))
    batches = [
        (asked, seed, number, min(size, runs - first)) for number, first in enumerate(range(0, runs, size))
    ]
    found: list[np.ndarray] = []
    with _mapper(min(workers, len(batches))) as apply:
        for values in apply(batches):
            found.append(values)
            progress(sum(map(len, found)))
    return Summary(np.concatenate(found))


@contextmanager
def _mapper(
    workers: int,
) -> Iterator[Callable[[list[tuple[Experiment, int, int, int]]], Iterator[np.ndarray]]]:
    """What runs batches in order, in so many processes."""
    if workers <= 1:
        yield lambda batches: map(_run_batch, batches)
        return
    import multiprocessing
    import signal

    from schedsolve.executors.ctrl_c import kept_from_children

    ignore = signal.signal, (signal.SIGINT, signal.SIG_IGN)
    with kept_from_children():
        pool = multiprocessing.get_context("spawn").Pool(workers, *ignore)
    with pool:
        yield lambda batches: pool.imap(_run_batch, batches)


def _run_batch(batch: tuple[Experiment, int, int, int]) -> np.ndarray:
    import numpy as np

    asked, seed, number, runs = batch
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    source, destination = _draw(asked, runs, generator)
    if asked.system != "routers":
        bins = bin_count(asked.n, asked.bins)
        return model_rounds(
            destination, asked.n, runs, bins, generator, destination_toss=asked.system == "model-2"
        )
    if asked.retry != "rounds":
        backoff = asked.backoff if asked.retry == "backoff" else None
        return delivery_time(source, destination, asked.n, runs, asked.unit, generator, backoff)
    return delivery_rounds(source, destination, asked.n, runs, asked.rules, generator)


def _draw(asked: Experiment, runs: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The messages of some runs; see `draw_messages`."""
    import numpy as np

    if asked.pattern is not None and isinstance(asked.messages, int):
        return draw_messages(asked.pattern, asked.n, asked.messages, runs, generator)
    pairs = (
        np.array(asked.messages, dtype=np.int32).reshape(1, -1, 2)
        + (np.arange(runs, dtype=np.int32) * asked.n)[:, None, None]
    )
    return pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel()
