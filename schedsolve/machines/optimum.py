"""The least time that is proven for a collective on a machine, whatever the schedule.

What times are measured against.

It is a time of long messages, of a unit of size 1 with beta 1; latency only adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.timing import Timing, bus_factor
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_TIME, Result, Status, value_to_json
from schedsolve.models import build_problem, model_of, models
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError


@dataclass(frozen=True)
class ProvenTime:
    """A lower bound on the time of a unit.

    Attributes
    ----------
    attained
        Whether a result says that it is the optimum.
    by_file
        Whether that result was read from a file, and is not examined here.
    """

    time: Fraction
    attained: bool = False
    by_file: bool = False

    @property
    def words(self) -> str:
        """What it is, with its value."""
        value = value_to_json(self.time)
        origin = " (by the file)" if self.by_file else ""
        return f"the optimum {value}{origin}" if self.attained else f"the lower bound {value}"

    def ratio(self, timing: Timing) -> float | None:
        """Return how many times this a timing takes; None where beta is 0."""
        least = self.time * timing.costs.size * timing.costs.beta
        return float(timing.seconds / least) if least else None

    def bus_bandwidth(self, timing: Timing) -> float | None:
        """Return the busbw that no schedule exceeds, in GB/s; None where beta is 0."""
        least = self.time * timing.costs.size * timing.costs.beta
        return float(timing.buffer_bytes / least * bus_factor(timing.movement)) / 1e9 if least else None


def long_message_model() -> Model:
    """Return the model whose value is the time of a unit of a long message."""
    return next(model for model in models().values() if model.machines and model.objective == LEAST_TIME)


def proven_time(
    movement: Movement, result: Result | None = None, *, by_file: bool = False
) -> ProvenTime | None:
    """Return the best lower bound known for what a movement carries out.

    result, by_file: as for `proven_for`.
    """
    root = None if movement.root is None else str(movement.network.labels[movement.root])
    return proven_for(movement.collective, movement.network, root, result, by_file=by_file)


def proven_for(
    task: str, network: Network, root: str | None, result: Result | None = None, *, by_file: bool = False
) -> ProvenTime | None:
    """Return the best lower bound known; None when there is none.

    By the cuts and the lengths of the network, which are computed here, and by a result of the model of long
    messages, if such is given, as it claims it.

    Parameters
    ----------
    task
        The collective.
    network
        The machine.
    root
        The label of the node where a rooted collective starts or ends.
    result
        What claims a bound.
    by_file
        Whether it was read from a file.
    """
    found = [ProvenTime(bound) for bound in _computed(task, network, root)]
    if (
        result is not None
        and result.objective == LEAST_TIME
        and model_of(result.problem).machines
        and result.lower_bound
    ):
        found.append(ProvenTime(Fraction(result.lower_bound), result.status is Status.OPTIMAL, by_file))
    return max(found, key=lambda one: (one.time, one.attained), default=None)


def _computed(task: str, network: Network, root: str | None) -> list[Fraction]:
    model = long_message_model()
    ends = {parameter.name for parameter in model.tasks.get(task, ())} & {"source", "root"}
    try:
        problem = build_problem(model.name, task, network, dict.fromkeys(ends, str(root)))
        return [Fraction(bound.value) for bound in model.bounds(problem) if bound.side == "lower"]
    except (InputError, ClaimError):
        return []
