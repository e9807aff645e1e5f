"""Monte Carlo experiments: many runs of random routing or of a model of it, and their statistics.

Runs are simulated in batches of a fixed size, each with a random generator seeded by the experiment's
seed and the batch's number. So the same seed gives the same result for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

from schedsolve.runtime.errors import InputError, WorkError

from ..patterns import LARGEST_NETWORK, check_count, draw_messages, most_messages, read_messages, read_pattern
from ..rules import Message
from .clock import Backoff, delivery_time
from .collision_model import bin_count, model_rounds
from .simulation import DEFAULT_RULES, Rules, delivery_rounds

if TYPE_CHECKING:
    import numpy as np

BATCH_NODES = 2**16
"""The most processing nodes in a batch, summed over its runs; a batch has at least one run."""
LARGEST_CLOCKED_NETWORK = 2**22
"""The most processing nodes in a cycle-by-cycle simulation, limited by its memory."""
NORMAL_QUANTILE = 1.959963984540054
"""The quantile of the normal distribution for a confidence of 95 %."""
LEAST_RUNS_FOR_INTERVAL = 30
"""The fewest runs for which a confidence interval is given."""


DEFAULT_BACKOFF = Backoff()


@dataclass(frozen=True)
class Experiment:
    """What is simulated; `experiment` validates it.

    `n` is the number of processing nodes, `pattern` the name of the pattern (None if the messages are
    given), and `messages` their number or the messages themselves. `system` is the network itself,
    "routers", or one of the balls-and-bins models, "model-1" and "model-2". With `retry` a rejected message
    is sent again in the next delivery round ("rounds"), at once ("immediate") or after a random wait
    ("backoff"). The other fields are what the paper leaves open: see `simulation.Rules`,
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
        """The number of messages of a run; messages of a permutation to their own source count."""
        return self.messages if isinstance(self.messages, int) else len(self.messages)


@dataclass(frozen=True)
class Summary:
    """The results of runs: the value of each, with the mean, its standard error, the extremes and counts."""

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
        """The 95 % confidence interval of the expected value, or None for too few runs.

        It uses the normal approximation.
        """
        if len(self.values) < LEAST_RUNS_FOR_INTERVAL:
            return None
        half = NORMAL_QUANTILE * float(self.values.std(ddof=1)) / sqrt(len(self.values))
        return self.mean - half, self.mean + half

    @property
    def counts(self) -> dict[float, int]:
        """The number of runs that had each value, by increasing value."""
        import numpy as np

        return {
            float(value): int(count)
            for value, count in zip(*np.unique(self.values, return_counts=True), strict=True)
        }


def experiment(
    n: int, pattern: str | None = None, messages: str | int | list[Message] | None = None, **options: Any
) -> Experiment:
    """Return a validated experiment on n processing nodes.

    Parameters
    ----------
    n
        The number of processing nodes, a power of two.
    pattern
        The name of the pattern, "random" by default.
    messages
        The number of messages, a list of pairs, or the name of a file; by default all of the pattern.
    **options
        The other fields of `Experiment`.

    Raises
    ------
    InputError
        If n is not a power of two or is too large, or the pattern, the messages or the options do not fit.
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
    """Simulate an experiment `runs` times and return the results.

    The value of a run is its number of delivery rounds; with immediate retry or back-off it is the time in
    transmission times of one message.

    Parameters
    ----------
    asked
        The experiment.
    runs
        The number of runs.
    seed
        The seed of the experiment.
    workers
        The number of processes.
    progress
        A function that is called from time to time with the number of finished runs.
    """
    import numpy as np

    size = max(1, BATCH_NODES // max(asked.n, asked.message_count))
    batches = [
        (asked, seed, number, min(size, runs - first)) for number, first in enumerate(range(0, runs, size))
    ]
    found: dict[int, np.ndarray] = {}
    for number, values in _batch_values(batches, min(workers, len(batches))):
        found[number] = values
        progress(sum(map(len, found.values())))
    return Summary(np.concatenate([found[number] for number in sorted(found)]))


def _batch_values(
    batches: list[tuple[Experiment, int, int, int]], workers: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the number of each batch and its values, as they are simulated in `workers` processes.

    Raises
    ------
    WorkError
        If a batch fails in its process.
    """
    if workers <= 1:
        yield from enumerate(map(_run_batch, batches))
        return
    from schedsolve.runtime.executors.processes import Processes

    with Processes(workers) as processes:
        for number, batch in enumerate(batches):
            processes.submit(number, _run_batch, batch)
        for done in processes.completed():
            if done.error is not None:
                raise WorkError(f"a batch of runs failed: {done.error}")
            assert isinstance(done.key, int)
            yield done.key, done.value


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
    """Return the messages of a batch of runs; see `draw_messages`."""
    import numpy as np

    if asked.pattern is not None and isinstance(asked.messages, int):
        return draw_messages(asked.pattern, asked.n, asked.messages, runs, generator)
    pairs = (
        np.array(asked.messages, dtype=np.int32).reshape(1, -1, 2)
        + (np.arange(runs, dtype=np.int32) * asked.n)[:, None, None]
    )
    return pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel()
