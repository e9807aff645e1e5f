"""The document models and their registry; a new model is one folder beside this file and one line in
MODULES.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from schedsolve.errors import InputError, did_you_mean
from schedsolve.modelkit.movement import Movement
from schedsolve.modelkit.record import Model, Replay
from schedsolve.modelkit.verb import Finding, Verb
from schedsolve.network.graph import Network
from schedsolve.problem import Problem, problem_from_json
from schedsolve.schedule import AnySchedule


@dataclass(frozen=True)
class Entry:
    """A line of the registry.

    module: the model's folder. names: of its records. variant: the parameter that its problems have, where
    another folder has records of the same names for problems without it. verbs: what it brings to the command
    line, each with its summary. formats: of the files that it alone writes and checks. examples: of its
    problems, as they are typed.
    """

    module: str
    names: tuple[str, ...]
    variant: str | None = None
    verbs: Mapping[str, str] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


SAME_TASKS = {"allgather": "gossip", "gather": "accumulation", "reduce": "product", "scan": "prefix"}
"""What designers of collectives call a task of the papers, where the model has no task of that name."""

MODULES = (
    Entry(
        "matching",
        ("telegraph", "telephone"),
        examples=("telephone gossip hypercube:3", "telegraph broadcast ccc:3 --source max"),
    ),
    Entry(
        "systolic",
        ("telegraph", "telephone"),
        variant="period",
        verbs={"explore": "for which heights of complete trees an optimal gossip has a period"},
        formats=("schedsolve-periods/1",),
        examples=("telegraph gossip path:9 --period 4", "telephone gossip tree:2,2 --period 4"),
    ),
    Entry("line", ("line",), examples=("line broadcast grid:4x4", "line gossip cycle:8 --ports 1")),
    Entry(
        "linear_cost",
        ("linear-cost",),
        verbs={"explore": "the laboratory for the conjecture on f_T(r), the least cost of a broadcast"},
        examples=(
            "linear-cost broadcast complete:9 --ports 2 --extra-rounds 2",
            "linear-cost broadcast complete:8 --alpha 0.1 --tau 1",
        ),
    ),
    Entry(
        "fat_tree",
        ("fat-tree",),
        examples=("fat-tree broadcast fat-tree:16", "fat-tree product fat-tree:8 --capacity log"),
    ),
    Entry(
        "routing",
        ("routing",),
        verbs={"simulate": "Monte Carlo runs of random routing, and figures"},
        examples=("routing deliver fat-tree:8 --pattern shift:3", "routing deliver fat-tree:8 --messages 4"),
    ),
    Entry(
        "synchronous",
        ("synchronous",),
        examples=(
            "synchronous allgather dgx1 --steps 2",
            "synchronous alltoall cycle:4 --steps 2 --chunks 1",
        ),
    ),
    Entry(
        "pipelined",
        ("pipelined",),
        verbs={"steps": "an optimal pipelined schedule, cut into chunks and steps"},
        examples=("pipelined allgather dgx1", "pipelined alltoall torus:4x4"),
    ),
)
"""The registry: a line for every model."""


@cache
def _records(module: str) -> tuple[Model, ...]:
    records: tuple[Model, ...] = import_module(f"schedsolve.models.{module}").MODELS
    return records


def models() -> dict[str, Model]:
    """The records of all models, by title: the name, and for a variant of a model the option that asks for
    it.
    """
    return {record.title: record for entry in MODULES for record in _records(entry.module)}


def model_names() -> tuple[str, ...]:
    """The names of all models, each once; loads none of them."""
    return tuple(dict.fromkeys(name for entry in MODULES for name in entry.names))


def models_named(name: str, parameters: Collection[str] | None = None) -> list[Model]:
    """The records of a name, those of variants last; loads no other model.

    parameters: leave out the variants that none of them asks for.
    """
    entries = [e for e in MODULES if name in e.names]
    if parameters is not None:
        entries = [e for e in entries if e.variant is None or e.variant in parameters]
    found = [record for e in entries for record in _records(e.module)]
    return [record for record in found if record.name == name]


def examples_of(names: Collection[str]) -> list[str]:
    """Two problems of every model of these names, as they are typed; loads no model."""
    return [example for entry in MODULES for example in entry.examples if example.partition(" ")[0] in names]


def verb_summaries() -> dict[str, str]:
    """The names and summaries of the verbs that models bring, those of one name together; loads no model."""
    found: dict[str, list[str]] = {}
    for entry in MODULES:
        for name, summary in entry.verbs.items():
            found.setdefault(name, []).append(summary)
    return {name: "; ".join(summaries) for name, summaries in found.items()}


@cache
def verbs() -> tuple[Verb, ...]:
    """The verbs that models bring, in the order of the models."""
    return tuple(
        verb
        for entry in MODULES
        if entry.verbs
        for verb in import_module(f"schedsolve.models.{entry.module}").VERBS
    )


def verb_function(name: str) -> Callable[..., Any]:
    """The verbs of a name that models bring, as a function for Python: of one alone its own, of several one
    whose first argument says which subject is meant.
    """
    found = {verb.subject: verb.function for verb in verbs() if verb.name == name}
    if None in found:
        return found[None]

    def chosen(subject: str, **options: Any) -> Any:
        if subject not in found:
            names = [known for known in found if known]
            raise InputError(
                f"{name} takes {' or '.join(names)}, not '{subject}'{did_you_mean(subject, names)}"
            )
        return found[subject](**options)

    chosen.__name__ = chosen.__qualname__ = name
    chosen.__doc__ = "\n\n".join(
        f"{name}({subject!r}, ...): {function.__doc__}" for subject, function in found.items()
    )
    return chosen


def file_check(name: Any) -> Callable[[Mapping[str, Any]], Sequence[Finding]] | None:
    """What checks the claims of files of a format that only one model writes; None when there is no such."""
    for entry in MODULES:
        if name in entry.formats:
            checks: Mapping[str, Callable[[Mapping[str, Any]], Sequence[Finding]]]
            checks = import_module(f"schedsolve.models.{entry.module}").CHECKS
            return checks[name]
    return None


def get_model(name: str, parameters: Collection[str] = ()) -> Model:
    """The record of a model, or of its variant that one of the parameters asks for. Raises InputError for an
    unknown name.
    """
    entries = [entry for entry in MODULES if name in entry.names]
    if not entries:
        raise InputError(
            f"unknown model '{name}'; the models are {', '.join(model_names())}"
            f"{did_you_mean(name, model_names())}"
        )
    entry = next((entry for entry in entries if entry.variant in parameters), entries[0])
    records = [record for record in _records(entry.module) if record.name == name]
    return next((record for record in records if record.variant in parameters), records[0])


def model_of(problem: Problem) -> Model:
    """The record of a problem's model. Raises InputError when there is none."""
    return get_model(problem.model, problem.parameters)


def build_problem(
    model: str,
    task: str,
    network: Network | str,
    options: Mapping[str, Any] | None = None,
    *,
    ignore_bandwidths: bool = False,
    saved: bool = False,
    **parameters: Any,
) -> Problem:
    """A problem with its parameters read and its defaults filled in.

    network: or the text of one, such as "cycle:9". options: values by parameter name, as text from a command
    line or as JSON values; None stands for "not given"; parameters are the same as keywords.
    ignore_bandwidths: pose it on the plain graph where the model has no use for bandwidths and switches,
    which it refuses otherwise. saved: the options are those of a file, in which what takes work to find is
    written out already. Raises InputError for an unknown model, task or option, a bad value, or a problem
    that the model cannot pose.
    """
    if isinstance(network, str):
        network = Network.from_spec(network)
    given = {name: value for name, value in {**(options or {}), **parameters}.items() if value is not None}
    record = get_model(model, given)
    task = _task_of(record, task)
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
    values = {
        name: p.read(given[name], network) if name in given else p.default(network)
        for name, p in known.items()
    }
    problem = record.complete(
        Problem(model, task, network, {name: value for name, value in values.items() if value is not None})
    )
    if not saved:
        problem = record.pose(problem)
    record.check(problem)
    return problem


def _task_of(record: Model, task: str) -> str:
    """The record's task of that name, or of another field's name for the same. Raises InputError for none."""
    meant = task if task in record.tasks else SAME_TASKS.get(task, task)
    if meant in record.tasks:
        return meant
    near = did_you_mean(task, record.tasks)
    raise InputError(f"{record.name} has no task '{task}'; its tasks are {', '.join(record.tasks)}{near}")


def replay(problem: Problem, schedule: AnySchedule) -> Replay:
    """What the referee of the problem's model sees: the schedule's value, and the first broken rule or who
    misses what, if anything.

    problem: with its source or root given.
    """
    return model_of(problem).replay(problem, schedule)


def movement_of(problem: Problem, schedule: Any, chunks: int | None = None) -> Movement:
    """A schedule as data that move in steps, which programs and times are made from.

    problem: with its source or root given. chunks: of a unit, where the schedule leaves that open. Raises
    InputError for a schedule that is not legal and complete, and for one that is no movement of data.
    """
    model = model_of(problem)
    missing = model.replay(problem, schedule).violation
    if missing:
        raise InputError(f"the schedule is not complete: {missing}")
    return model.movement(problem, schedule, chunks)


def read_problem(data: Any) -> Problem:
    """The problem in a JSON object, checked and with its defaults filled in. Raises InputError as
    `build_problem` does.
    """
    raw = problem_from_json(data)
    return build_problem(raw.model, raw.task, raw.network, raw.parameters, saved=True)


def _means_nothing(name: str, record: Model, task: str) -> str:
    """Why a parameter is refused, and what it would need or what there is instead."""
    option = f"--{name.replace('_', '-')}"
    variants = [
        other for other in models_named(record.name) if other.variant is not None and task in other.tasks
    ]
    for other in variants:
        if other is not record and name in {parameter.name for parameter in other.tasks[task]}:
            return f"{option} goes with --{other.variant}, which is not given"
    options = dict.fromkeys(p.option for other in (record, *variants) for p in other.tasks[task])
    near = did_you_mean(option, options)
    return f"{option} means nothing for {record.name} {task}; its options are {', '.join(options)}{near}"
