"""The data of figures 3 to 7: what is simulated for each figure.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), sections 5 and 7.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from schedsolve.models.routing.simulation.collision_model import fitted_rounds
from schedsolve.models.routing.simulation.experiment import (
    LARGEST_CLOCKED_NETWORK,
    Experiment,
    Summary,
    run_experiment,
)
from schedsolve.models.routing.simulation.simulation import DEFAULT_RULES, Rules
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    import numpy as np

SMALLEST, FIXED = 16, 64
"""The processing nodes of the smallest network in a figure, and those of the left half of figure 5."""
MOST_SHIFTS = 64
"""The most shifts that figure 7 tries on a network; if there are more, they are drawn at random.

Evenly spaced shifts would collide less than most.
"""
RUNS_OF_SHIFTS = 4
"""The runs of all shifts together, as a multiple of the runs of another pattern.

The differences between shifts matter more than the variation of one shift.
"""


@dataclass(frozen=True)
class Scale:
    """The extent of the simulations for the figures, and the options that the paper leaves open.

    See `Experiment` for the options.
    """

    largest: int = 4096
    runs: int = 20
    seed: int = 0
    workers: int = 1
    rules: Rules = DEFAULT_RULES
    bins: Literal["corollary", "lemma"] = "corollary"
    unit: Literal["round-trip", "one-way"] = "round-trip"

    def check(self) -> None:
        """Raise InputError unless `largest` is a power of two that can be simulated, at least 64."""
        if not FIXED <= self.largest <= LARGEST_CLOCKED_NETWORK or self.largest & (self.largest - 1):
            raise InputError(
                f"--largest takes a power of two from {FIXED} to {LARGEST_CLOCKED_NETWORK}, not"
                f" {self.largest}"
            )

    @property
    def sizes(self) -> list[int]:
        """The numbers of processing nodes of the networks, in increasing order."""
        return [1 << digits for digits in range(SMALLEST.bit_length() - 1, self.largest.bit_length())]


@dataclass(frozen=True)
class Series:
    """A curve with error bars: for every x the mean, the least and the greatest value."""

    name: str
    x: Sequence[int]
    mean: Sequence[float]
    least: Sequence[float]
    greatest: Sequence[float]


@dataclass(frozen=True)
class Panel:
    """One half of a figure; `x` names its horizontal axis, `nodes` is the size of a fixed network."""

    title: str
    x: Literal["nodes", "messages"]
    series: Sequence[Series]
    nodes: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the panel as JSON data; for a fixed network also the paper's fit."""
        data = asdict(self)
        if self.nodes is not None:
            data["fit"] = [fitted_rounds(self.nodes, m) for m in self.series[0].x]
        return data


def read_panels(file: Path) -> list[Panel]:
    """Return the panels of a figure whose data were written as JSON."""
    return [
        Panel(data["title"], data["x"], [Series(**one) for one in data["series"]], data["nodes"])
        for data in json.loads(file.read_text(encoding="utf-8"))
    ]


Measure = Callable[[int], Summary]


class Measurements:
    """Runs each experiment of the figures once; `progress` is called with what is being simulated."""

    def __init__(self, scale: Scale, progress: Callable[[str], None]) -> None:
        self.scale = scale
        self.progress = progress
        self.done: dict[tuple[Experiment, int, int], Summary] = {}

    def figure_3(self) -> list[Panel]:
        """Return the panels of Model I and Model II, for m = n/8 and m = n messages."""
        return [
            self._panel(title, {"Model I": self._model(share), "Model II": self._model(share, "model-2")})
            for title, share in (("m = n/8", 8), ("m = n", 1))
        ]

    def figure_4(self) -> list[Panel]:
        """Return the panels of Model I, delivery rounds and immediate retry, for m = n/8 and m = n."""
        return [
            self._panel(
                title,
                {
                    "Model I": self._model(share),
                    "fat-tree, rounds": partial(self._routers, "random", share),
                    "fat-tree, immediate retry": partial(self._clocked, "random", share),
                },
            )
            for title, share in (("m = n/8", 8), ("m = n", 1))
        ]

    def figure_5(self) -> list[Panel]:
        """Return the panels by number of messages, on 64 nodes and on the largest network."""
        panels = []
        for n in sorted({FIXED, self.scale.largest}):
            counts = [1 << digits for digits in range(1, n.bit_length())]
            counts = sorted({*counts, *(3 * m // 4 for m in counts if m > 2)})
            rounds = {
                "Model I": lambda m, n=n: self._run(
                    Experiment(n, "random", m, "model-1", bins=self.scale.bins)
                ),
                "fat-tree, rounds": lambda m, n=n: self._run(
                    Experiment(n, "random", m, rules=self.scale.rules)
                ),
            }
            series = [self._series(name, counts, measure) for name, measure in rounds.items()]
            panels.append(Panel(f"n = {n}", "messages", series, n))
        return panels

    def figure_6(self) -> list[Panel]:
        """Return the panels of the transpose and the bit reversal."""
        return [self._permutation("transpose"), self._permutation("bit-reversal")]

    def figure_7(self) -> list[Panel]:
        """Return the panels of the cyclic shift, on average over the shifts."""
        curves: dict[str, Measure] = {
            "Model I, random messages": self._model(1),
            "cyclic shift, rounds": partial(self._shifts, "rounds"),
            "cyclic shift, immediate retry": partial(self._shifts, "immediate"),
        }
        return [self._panel("cyclic shift, m = n", curves)]

    def _permutation(self, pattern: str) -> Panel:
        curves: dict[str, Measure] = {
            "Model I, random messages": self._model(1),
            f"{pattern}, rounds": partial(self._routers, pattern, 1),
            f"{pattern}, immediate retry": partial(self._clocked, pattern, 1),
        }
        square = [n for n in self.scale.sizes if n.bit_length() % 2]
        return self._panel(f"{pattern}, m = n", curves, square if pattern == "transpose" else None)

    def _panel(self, title: str, curves: dict[str, Measure], sizes: list[int] | None = None) -> Panel:
        return Panel(
            title,
            "nodes",
            [self._series(name, sizes or self.scale.sizes, measure) for name, measure in curves.items()],
        )

    def _series(self, name: str, x: list[int], measure: Measure) -> Series:
        found = [measure(value) for value in x]
        return Series(name, x, [s.mean for s in found], [s.least for s in found], [s.greatest for s in found])

    def _model(self, share: int, system: Literal["model-1", "model-2"] = "model-1") -> Measure:
        return lambda n: self._run(Experiment(n, "random", n // share, system, bins=self.scale.bins))

    def _routers(self, pattern: str, share: int, n: int) -> Summary:
        return self._run(Experiment(n, pattern, n // share, rules=self.scale.rules))

    def _clocked(self, pattern: str, share: int, n: int) -> Summary:
        return self._run(Experiment(n, pattern, n // share, retry="immediate", unit=self.scale.unit))

    def _shifts(self, retry: Literal["rounds", "immediate"], n: int) -> Summary:
        """Return the runs of many shifts together, with the same number of runs for each shift."""
        import numpy as np

        generator = np.random.default_rng(self.scale.seed)
        shifts = sorted(
            generator.choice(np.arange(1, n), size=min(MOST_SHIFTS, n - 1), replace=False).tolist()
        )
        runs = max(1, RUNS_OF_SHIFTS * self.scale.runs // len(shifts))
        values: list[np.ndarray] = []
        for k in shifts:
            asked = Experiment(n, f"shift:{k}", n, retry=retry, rules=self.scale.rules, unit=self.scale.unit)
            values.append(self._run(asked, runs, k).values)
        return Summary(np.concatenate(values))

    def _run(self, asked: Experiment, runs: int | None = None, more_seed: int = 0) -> Summary:
        key = asked, runs or self.scale.runs, self.scale.seed + more_seed
        if key not in self.done:
            self.progress(
                f"n = {asked.n}, {asked.message_count} messages, {asked.pattern}, {asked.system},"
                f" {asked.retry}"
            )
            self.done[key] = run_experiment(*key, self.scale.workers)
        return self.done[key]
