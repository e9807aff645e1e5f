"""The document models and their registry; a new model is one folder beside this file and one line in
MODULES.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from schedsolve.errors import InputError
from schedsolve.modelkit.record import Model, Replay
from schedsolve.modelkit.verb import Verb
from schedsolve.network.graph import Network
from schedsolve.problem import Problem, problem_from_json
from schedsolve.schedule import Schedule

MODULES = ("matching", "systolic", "line", "linear_cost", "fat_tree", "routing")


@cache
def models() -> dict[str, Model]:
    """The records of all models, by title: the name, and for a variant of a model the option that asks for
    it.
    """
    records = [record for module in MODULES for record in import_module(f"schedsolve.models.{module}").MODELS]
    return {record.title: record for record in records}


@cache
def verbs() -> tuple[Verb, ...]:
    """The verbs that only one model has, in the order of the models."""
    return tuple(
        verb
        for module in MODULES
        for verb in getattr(import_module(f"schedsolve.models.{module}"), "VERBS", ())
    )


def get_model(name: str, parameters: Collection[str] = ()) -> Model:
    """The record of a model, or of its variant that one of the parameters asks for. Raises InputError for an
    unknown name.
    """
    records = [record for record in models().values() if record.name == name]
    if not records:
        raise InputError(
            f"unknown model '{name}'; the models are"
            f" {', '.join(dict.fromkeys(m.name for m in models().values()))}"
        )
    return next((record for record in records if record.variant in parameters), records[0])


def model_of(problem: Problem) -> Model:
    """The record of a problem's model. Raises InputError when there is none."""
    return get_model(problem.model, problem.parameters)


def build_problem(
    model: str,
    task: str,
    network: Network,
    options: Mapping[str, Any] | None = None,
    *,
    ignore_bandwidths: bool = False,
) -> Problem:
    """A problem with its parameters read and its defaults filled in.

    options: values by parameter name, as text from a command line or as JSON values; None stands for "not
    given". ignore_bandwidths: pose it on the plain graph where the model has no use for bandwidths and
    switches, which it refuses otherwise.
    Raises InputError for an unknown model, task or option, a bad value, or a problem that the model cannot
    pose.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None}
    record = get_model(model, given)
    if task not in record.tasks:
        raise InputError(f"{model} has no task '{task}'; its tasks are {', '.join(record.tasks)}")
    if not record.machines and not network.is_plain:
        if not ignore_bandwidths:
            raise InputError(
                f"{model} has no use for bandwidths and switches, and {network.name or 'the network'} has"
                f" {'switches' if network.switches else 'bandwidths'}; --ignore-bandwidths takes the plain"
                " graph"
            )
        network = network.plain()
    known = {parameter.name: parameter for parameter in record.tasks[task]}
    for name in given:
        if name not in known:
            raise InputError(_means_nothing(name, record, task))
    parameters = {
        name: p.read(given[name], network) if name in given else p.default(network)
        for name, p in known.items()
    }
    problem = record.complete(
        Problem(
            model, task, network, {name: value for name, value in parameters.items() if value is not None}
        )
    )
    record.check(problem)
    return problem


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """What the referee of the problem's model sees: the schedule's value, and the first broken rule or who
    misses what, if anything.

    problem: with its source or root given.
    """
    return model_of(problem).replay(problem, schedule)


def read_problem(data: Any) -> Problem:
    """The problem in a JSON object, checked and with its defaults filled in. Raises InputError as
    `build_problem` does.
    """
    raw = problem_from_json(data)
    return build_problem(raw.model, raw.task, raw.network, raw.parameters)


def _means_nothing(name: str, record: Model, task: str) -> str:
    """Why a parameter is refused, and what it would need or what there is instead."""
    option = f"--{name.replace('_', '-')}"
    variants = [
        other
        for other in models().values()
        if other.name == record.name and other.variant is not None and task in other.tasks
    ]
    for other in variants:
        if other is not record and name in {parameter.name for parameter in other.tasks[task]}:
            return f"{option} goes with --{other.variant}, which is not given"
    options = dict.fromkeys(p.option for other in (record, *variants) for p in other.tasks[task])
    return f"{option} means nothing for {record.name} {task}; its options are {', '.join(options)}"
