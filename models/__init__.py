"""The document models and their registry.

A new model is one folder beside this file and one line in MODULES.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from schedsolve.modelkit.form import fitting_schedule
from schedsolve.modelkit.problem import Problem, problem_from_json, refuse_no_problem
from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.runtime.errors import InputError, did_you_mean
from schedsolve.runtime.files.number_reader import plain_integer

if TYPE_CHECKING:
    from schedsolve.modelkit.record import Model, Replay
    from schedsolve.modelkit.result import Result
    from schedsolve.modelkit.schedule import AnySchedule, Schedule
    from schedsolve.modelkit.verb import Finding, Verb

    from .option_types import PipelinedOptions, RoundOptions, StepOptions
    from .pipelined.rules.schedule import PipelinedSchedule
    from .synchronous.rules.steps import StepSchedule


@dataclass(frozen=True)
class Entry:
    """A line of the registry.

    module: the model's folder. names: of its records. variant: the parameter that its problems have, where
    another folder has records of the same names for problems without it. verbs: what it brings to the command
    line, each with its summary. formats: of the files that it alone writes and checks. examples: of its
    problems, as typed. retired: evidence no longer read, with the last version.
    renamed: kinds of evidence by the names that they have in files of earlier versions.
    """

    module: str
    names: tuple[str, ...]
    variant: str | None = None
    verbs: Mapping[str, str] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    retired: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)


SAME_TASKS = {"allgather": "gossip", "gather": "accumulation", "reduce": "product", "scan": "prefix"}
"""What designers of collectives call a task of the papers, where the model has no task of that name."""

_RETIRED = dict.fromkeys(("cubic-growth", "prices", "doubling", "exhaustive"), "0.2.0")
"""Theorems 3 and 4 of docs/theorems.md; that the informed nodes at most double in a round, as `degree_growth`
never says less; and all that can happen in networks of four nodes, which a refutation decides.
"""
_RETIRED_OF_PERIODS = dict.fromkeys(("path-collisions", "path-conflicts", "complete-tree-gossip"), "0.2.0")
"""Lemmas 3.5 and 3.6 of Hromkovic et al. (1994) bound what `path_theorem` says exactly, and their
Proposition 4.1 is `tree_gossip` of the complete trees.
"""
_RETIRED_OF_LINES = {"knowledge-growth": "0.2.0"}
"""That what a node knows grows by a factor of its calls + 1 at most in a round is less than `degree_growth`
says, which counts the same growth of the nodes that know one item, each with its own calls.
"""
_RETIRED_OF_FAT_TREES = {"distance": "0.2.0"}
"""That half of the processors are joined to the source at the root only, 2 log N, is the least that
`empty_subtrees` says by the clock, as E(k) >= k + 1, and that `round_heights` says in rounds, as each height
below log N needs a round.
"""
_RETIRED_OF_ROUTING = {"load-factor": "0.2.0"}
"""The load factor (Leiserson 1985), the messages that must pass a channel by its wires and rounded up, says
as much as `multiplicity`: 2^l nodes, which have 2^l wires above them, send at most 2^l times as many messages
as one node may, and the channel of one node has one wire.
"""
_RETIRED_OF_COSTS = {"by rule": "0.2.0"}
"""Of the rules' bounds `derived` is the greatest."""
_RETIRED_OF_STEPS = {"steps": "0.2.0"}
"""Every other bound for a given number of chunks has a round a step (`bandwidth.whole_rounds`)."""

MODULES = (
    Entry(
        "matching",
        ("telegraph", "telephone"),
        retired=_RETIRED,
        examples=("telephone gossip hypercube:3", "telegraph broadcast ccc:3 --source max"),
    ),
    Entry(
        "systolic",
        ("telegraph", "telephone"),
        variant="period",
        retired={**_RETIRED, **_RETIRED_OF_PERIODS},
        verbs={
            "explore": (
                "for which heights of complete trees an optimal gossip has a period; periodic gossip against"
                " broadcast over a set of networks"
            )
        },
        formats=("schedsolve-periods/1",),
        examples=("telegraph gossip path:9 --period 4", "telephone gossip tree:2,2 --period 4"),
    ),
    Entry(
        "line",
        ("line",),
        retired=_RETIRED_OF_LINES,
        examples=("line broadcast grid:4x4", "line gossip cycle:8 --ports 1"),
    ),
    Entry(
        "linear_cost",
        ("linear-cost",),
        retired=_RETIRED_OF_COSTS,
        renamed={"timed programme": "timed program"},
        verbs={"explore": "the laboratory for the conjecture on f_T(r), the least cost of a broadcast"},
        examples=(
            "linear-cost broadcast complete:9 --ports 2 --extra-rounds 2",
            "linear-cost broadcast complete:8 --alpha 0.1 --tau 1",
        ),
    ),
    Entry(
        "fat_tree",
        ("fat-tree",),
        retired=_RETIRED_OF_FAT_TREES,
        verbs={
            "explore": (
                "how broadcasts on fat-trees grow with the processors, against the recurrences and Table 1"
            )
        },
        examples=("fat-tree broadcast fat-tree:16", "fat-tree product fat-tree:8 --capacity log"),
    ),
    Entry(
        "routing",
        ("routing",),
        retired=_RETIRED_OF_ROUTING,
        verbs={"simulate": "Monte Carlo runs of random routing"},
        examples=("routing deliver fat-tree:8 --pattern shift:3", "routing deliver fat-tree:8 --messages 4"),
    ),
    Entry(
        "synchronous",
        ("synchronous",),
        retired=_RETIRED_OF_STEPS,
        examples=(
            "synchronous allgather dgx1 --steps 2",
            "synchronous alltoall cycle:4 --steps 2 --chunks 1",
        ),
    ),
    Entry(
        "pipelined",
        ("pipelined",),
        examples=("pipelined allgather dgx1", "pipelined alltoall torus:4x4"),
    ),
)
"""The registry: a line for every model."""


@cache
def _records(module: str) -> tuple[Model, ...]:
    records: tuple[Model, ...] = import_module(f"schedsolve.models.{module}").MODELS
    return records


def models() -> dict[str, Model]:
    """Return the records of all models by title: the name, for a variant with the option that asks for it."""
    return {record.title: record for entry in MODULES for record in _records(entry.module)}


def model_names() -> tuple[str, ...]:
    """Return the names of all models, each once; loads none of them."""
    return tuple(dict.fromkeys(name for entry in MODULES for name in entry.names))


def models_named(name: str, parameters: Collection[str] | None = None) -> list[Model]:
    """Return the records of a name, those of variants last; loads no other model.

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


_OF_SUBJECTS = "questions about single models, each a subject of its own"


def verb_summaries() -> dict[str, str]:
    """Return the verbs that models bring, with summaries; one of several models has a summary of its own."""
    found: dict[str, list[str]] = {}
    for entry in MODULES:
        for name, summary in entry.verbs.items():
            found.setdefault(name, []).append(summary)
    return {name: texts[0] if len(texts) == 1 else _OF_SUBJECTS for name, texts in found.items()}


@cache
def verbs() -> tuple[Verb, ...]:
    """Return the verbs that models bring, in the order of the models."""
    return tuple(
        verb
        for entry in MODULES
        if entry.verbs
        for verb in import_module(f"schedsolve.models.{entry.module}.command").VERBS
    )


def verb_function(name: str) -> Callable[..., Any]:
    """Return the verbs of a name that models bring, as one function for Python."""
    from schedsolve.modelkit.verb import function_of

    return function_of([verb for verb in verbs() if verb.name == name])


def file_check(name: Any) -> Callable[[Mapping[str, Any]], Sequence[Finding]] | None:
    """Return what checks the claims of files of a format that only one model writes; None for no format."""
    for entry in MODULES:
        if name in entry.formats:
            checks: Mapping[str, Callable[[Mapping[str, Any]], Sequence[Finding]]]
            checks = import_module(f"schedsolve.models.{entry.module}").CHECKS
            return checks[name]
    return None


def _entry_of(name: str, parameters: Collection[str]) -> Entry:
    entries = [entry for entry in MODULES if name in entry.names]
    if not entries:
        raise InputError(
            f"unknown model '{name}'; the models are {', '.join(model_names())}"
            f"{did_you_mean(name, model_names())}"
        )
    return next((entry for entry in entries if entry.variant in parameters), entries[0])


def get_model(name: str, parameters: Collection[str] = ()) -> Model:
    """Return the record of a model, or of its variant that one of the parameters asks for.

    Raises InputError for an unknown name.
    """
    entry = _entry_of(name, parameters)
    records = [record for record in _records(entry.module) if record.name == name]
    return next((record for record in records if record.variant in parameters), records[0])


def folder_of(name: str, parameters: Collection[str] = ()) -> str:
    """Return the folder of a model, or of its variant that one of the parameters asks for; loads no model.

    Raises InputError for an unknown name.
    """
    return _entry_of(name, parameters).module


def model_of(problem: Problem) -> Model:
    """Return the record of a problem's model. Raises InputError when there is none, and for no problem."""
    refuse_no_problem(problem)
    return get_model(problem.model, problem.parameters)


def retired_evidence(problem: Problem) -> Mapping[str, str]:
    """Return the kinds of evidence that a problem's model no longer reads, with the last version to do so."""
    return _entry_of(problem.model, problem.parameters).retired


def current_evidence(problem: Problem, evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return evidence with the present name of its kind, where a file of an earlier version has another."""
    kind, renamed = evidence.get("kind"), _entry_of(problem.model, problem.parameters).renamed
    return {**evidence, "kind": renamed[kind]} if isinstance(kind, str) and kind in renamed else evidence


@overload
def build_problem(
    model: Literal["telegraph", "telephone", "line", "linear-cost", "fat-tree", "routing"],
    task: str,
    network: NetworkLike,
    options: Mapping[str, Any] | None = None,
    **parameters: Unpack[RoundOptions],
) -> Problem[Schedule[Any]]: ...
@overload
def build_problem(
    model: Literal["synchronous"],
    task: str,
    network: NetworkLike,
    options: Mapping[str, Any] | None = None,
    **parameters: Unpack[StepOptions],
) -> Problem[StepSchedule[Any]]: ...
@overload
def build_problem(
    model: Literal["pipelined"],
    task: str,
    network: NetworkLike,
    options: Mapping[str, Any] | None = None,
    **parameters: Unpack[PipelinedOptions],
) -> Problem[PipelinedSchedule[Any]]: ...
@overload
def build_problem(
    model: str,
    task: str,
    network: NetworkLike,
    options: Mapping[str, Any] | None = None,
    *,
    ignore_bandwidths: bool = False,
    saved: bool = False,
    weight: str | None = ATTRIBUTE,
    **parameters: Any,
) -> Problem: ...
def build_problem(
    model: str,
    task: str,
    network: NetworkLike,
    options: Mapping[str, Any] | None = None,
    *,
    ignore_bandwidths: bool = False,
    saved: bool = False,
    weight: str | None = ATTRIBUTE,
    **parameters: Any,
) -> Problem:
    """Return a problem with its parameters read and its defaults filled in.

    - `network`: what `Network.of` takes, such as "cycle:9", a file, a networkx graph, edges or a matrix.
    - `parameters`: the model's options; they name nodes by the user's objects or by labels, None is no value.
    - `options`: the same as a mapping, with values as text or as in JSON.
    - `ignore_bandwidths`: take the plain graph where the model refuses bandwidths and switches.
    - `weight`: the edge attribute of a graph that is the bandwidth.
    - `saved`: the options are from a file, where what takes work to find is written out.

    Raises InputError for an unknown model, task or option, a bad value, or what the model cannot pose.
    """
    network = network if isinstance(network, Network) else Network.of(network, weight=weight)
    given = {k: plain_integer(v) for k, v in {**(options or {}), **parameters}.items() if v is not None}
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
    present = {name: value for name, value in values.items() if value is not None}
    problem = record.complete(Problem(model, task, network, present), saved)
    record.check(problem)
    return problem


def _task_of(record: Model, task: str) -> str:
    """Return the record's task of that name, or of another field's name for the same; InputError for none."""
    meant = task if task in record.tasks else SAME_TASKS.get(task, task)
    if meant in record.tasks:
        return meant
    near = did_you_mean(task, record.tasks)
    raise InputError(f"{record.name} has no task '{task}'; its tasks are {', '.join(record.tasks)}{near}")


def replay(problem: Problem, schedule: AnySchedule | Result) -> Replay:
    """Return what the model's referee sees: the value, and the first broken rule or who misses what.

    problem: with its source or root given. schedule: or a result. Raises InputError for anything else.
    """
    model = model_of(problem)
    return model.replay(problem, fitting_schedule(schedule, model.form, problem.network))


def read_problem(data: Any) -> Problem:
    """Return the problem in a JSON object, checked and with its defaults filled in.

    Raises InputError as `build_problem` does.
    """
    raw = problem_from_json(data)
    problem = build_problem(raw.model, raw.task, raw.network, raw.parameters, saved=True)
    return replace(problem, evidence=raw.evidence)


def _means_nothing(name: str, record: Model, task: str) -> str:
    """Why a parameter is refused, and what it would need or which one to use instead."""
    option = f"--{name.replace('_', '-')}"
    variants = [other for other in models_named(record.name) if other.variant and task in other.tasks]
    for other in variants:
        if other is not record and name in {parameter.name for parameter in other.tasks[task]}:
            return f"{option} goes with --{other.variant}, which is not given"
    options = dict.fromkeys(p.option for other in (record, *variants) for p in other.tasks[task])
    near = did_you_mean(option, options)
    return f"{option} means nothing for {record.name} {task}; its options are {', '.join(options)}{near}"
