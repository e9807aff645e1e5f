"""Hypotheses tested on a store: a Boolean expression that should be true in every row.

A hypothesis may refer to several tasks on one network: a column named after a model and a task holds the
optimum of that task. A hypothesis on such columns and on the network alone has one row per network, any
other has one row per problem.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.experiments.sweeps.expressions import UndecidedError, compiled
from schedsolve.experiments.sweeps.results import COLUMNS, read_table
from schedsolve.experiments.sweeps.table_file import Source
from schedsolve.models import models_named
from schedsolve.network.classes.invariants import INVARIANTS
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.escapes import shell_line

HELP = (
    "besides the columns, a hypothesis can refer to the optima of tasks on the same network as MODEL_TASK,\n"
    "with _min or _max for the best or worst source or root, and _NAME_VALUE for other parameters that are\n"
    "not the usual ones; MODEL_ may be omitted if the store has the task for one model only. For a problem\n"
    "with period=min, such as telephone_gossip_period_min, it is the least period. A hypothesis on these\n"
    "and on the network alone is tested once per network, any other once per problem."
)
LEAST_PERIOD = "period=min"
"""The parameter of a row that asks for the least period."""
_USUAL = {("source", "0"), ("root", "0"), ("ports", "all")}
"""The parameters that the names of joined columns omit."""
OF_NETWORKS = frozenset({"network", "network_id", *INVARIANTS})
"""The columns that say something of a network."""


@dataclass(frozen=True)
class Question:
    """The problem whose optimum a joined column holds: a model, a task and its parameters as text."""

    model: str
    task: str
    parameters: str

    @property
    def options(self) -> str:
        """The parameters of the task as on a command line: "--source min"."""
        words = []
        for part in self.parameters.split():
            name, _, value = part.partition("=")
            if name in self._known:
                words += [f"--{name.replace('_', '-')}", *([] if value == "True" else [value])]
        return shell_line(*words)

    @property
    def given(self) -> dict[str, str]:
        """The parameters by name, as they are given."""
        parts = (part.partition("=") for part in self.parameters.split())
        return {name: value for name, _, value in parts}

    @property
    def _known(self) -> set[str]:
        """The names of the parameters of the task."""
        return {p.name for m in models_named(self.model) for p in m.tasks.get(self.task, ())}

    def command(self, network: str) -> str:
        """Return the command that solves the problem on a network."""
        words = shell_line("schedsolve", "solve", self.model, self.task, network)
        return f"{words} {self.options}".rstrip()


@dataclass(frozen=True)
class Counterexample:
    """A row for which a hypothesis is false.

    It has the network, the values of the columns that the hypothesis reads, and the questions behind these
    columns, each with the id of its problem if the row has it.
    """

    network: str
    values: Mapping[str, Any]
    problems: tuple[tuple[Question, str | None], ...]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a test: in how many rows the hypothesis holds, fails, or is undecided.

    It is undecided in a row whose problem is not solved to optimality, or that lacks a value. `per` says what
    a row stands for.
    """

    hypothesis: str
    per: str
    holds: int
    undecided: int
    counterexamples: tuple[Counterexample, ...]

    @property
    def fails(self) -> bool:
        """Whether the hypothesis is false in some row."""
        return bool(self.counterexamples)

    @property
    def rows(self) -> int:
        """The number of rows in which it was tested."""
        return self.holds + self.undecided + len(self.counterexamples)


@dataclass(frozen=True)
class HypothesisTable:
    """The rows of a store, with joined columns after its own.

    `tasks` maps the name of each joined column to the question whose optimum it holds; of several names for
    one question, the one with the model comes first.
    """

    columns: tuple[str, ...]
    tasks: Mapping[str, Question]
    rows: Sequence[Sequence[Any]]
    sources: Mapping[tuple[int, str], tuple[Question, str | None]]
    """The questions of the joined columns with their problems' ids, by network number and column."""

    @property
    def joined(self) -> frozenset[str]:
        """The names of the joined columns."""
        return frozenset(self.tasks)


def hypothesis_table(store: Source, where: str | None = None) -> HypothesisTable:
    """Return the rows for which `where` is true, each with the optima of all tasks on its network."""
    table = read_table(store, tuple(COLUMNS))
    at = {name: i for i, name in enumerate(table.columns)}
    tasks_of = [(row[at["model"]], row[at["task"]], row[at["parameters"]]) for row in table.rows]
    names_of = {task: _joined_names(*task) for task in set(tasks_of)}
    named = [names_of[task] for task in tasks_of]
    models = Counter(brief for _, brief, _ in set(named))
    optima: dict[tuple[int, str], Any] = {}
    sources: dict[tuple[int, str], tuple[Question, str | None]] = {}
    tasks: dict[str, Question] = {}
    for row, (long, brief, other) in zip(table.rows, named, strict=True):
        question = Question(row[at["model"]], row[at["task"]], row[at["parameters"]])
        for name in (long, brief, other) if models[brief] == 1 else (long,):
            if name not in COLUMNS:
                tasks.setdefault(name, question)
                if row[at["status"]] == "optimal":
                    optima[row[at["network_id"]], name] = row[at[_answer(row, at)]]
                    sources[row[at["network_id"]], name] = question, row[at["problem_id"]]
    kept = table.rows
    if where is not None:
        condition, _ = compiled(where, table.columns)
        kept = [row for row in table.rows if condition(row)]
    full = [(*row, *(optima.get((row[at["network_id"]], name)) for name in tasks)) for row in kept]
    return HypothesisTable((*table.columns, *tasks), tasks, full, sources)


def _joined_names(model: str, task: str, parameters: str) -> tuple[str, str, str]:
    """Return the names of the column of a task: with its model, without, and as min_broadcast."""
    words, choice = [task], []
    for part in parameters.split():
        name, _, value = part.partition("=")
        if name in ("source", "root") and value in ("min", "max"):
            choice.append(value)
        elif (name, value) not in _USUAL:
            words += [name, value]
    names = (
        [model, words[0], *choice, *words[1:]],
        [words[0], *choice, *words[1:]],
        [*choice, *words],
    )
    long, brief, other = (re.sub(r"\W", "_", "_".join(parts)) for parts in names)
    return long, brief, other


def _answer(row: Sequence[Any], at: Mapping[str, int]) -> str:
    """Return the column that holds the answer of a row's problem."""
    return "period" if LEAST_PERIOD in row[at["parameters"]].split() else "value"


def columns_read(table: HypothesisTable, where: str | None) -> dict[str, int]:
    """Return the columns that an expression reads, except the network's name, with their places in a row."""
    used = frozenset[str]() if where is None else compiled(where, table.columns)[1]
    return {name: i for i, name in enumerate(table.columns) if name in used - {"network"}}


def networks_where(table: HypothesisTable, where: str | None = None) -> dict[int, Sequence[Any]]:
    """Return the first row for which `where` is true for every network, by its number."""
    condition = None if where is None else compiled(where, table.columns)[0]
    number = table.columns.index("network_id")
    found: dict[int, Sequence[Any]] = {}
    for row in table.rows:
        if row[number] not in found and (condition is None or condition(row)):
            found[row[number]] = row
    return found


def verdict_on(table: HypothesisTable, hypothesis: str) -> Verdict:
    """Test a hypothesis in every row and return the verdict.

    Raises
    ------
    InputError
        If the text is not a Boolean expression.
    """
    test, used = compiled(hypothesis, table.columns, strict=True)
    per_network = bool(used) and used <= table.joined | OF_NETWORKS and bool(used & table.joined)
    at = {name: i for i, name in enumerate(table.columns)}
    rows: Sequence[Sequence[Any]] = table.rows
    if per_network:
        rows = list({row[at["network_id"]]: row for row in rows}.values())
    holds = undecided = 0
    false: list[Counterexample] = []
    for row in rows:
        try:
            if used & {"value", "period"} and row[at["status"]] != "optimal":
                raise UndecidedError("its optimum is not known")
            answer = test(row)
        except UndecidedError:
            undecided += 1
            continue
        if answer is None:
            undecided += 1
        elif not isinstance(answer, bool):
            raise InputError(f"a hypothesis is true or false; {shown(hypothesis)} is {shown(answer)}")
        elif answer:
            holds += 1
        else:
            false.append(_counterexample(table, row, at, used, per_network))
    return Verdict(hypothesis, "network" if per_network else "problem", holds, undecided, tuple(false))


def _counterexample(
    table: HypothesisTable, row: Sequence[Any], at: Mapping[str, int], used: frozenset[str], per_network: bool
) -> Counterexample:
    network = row[at["network_id"]]
    joined = [name for name in table.columns if name in used & table.joined]
    own = Question(row[at["model"]], row[at["task"]], row[at["parameters"]]), row[at["problem_id"]]
    problems = [] if per_network else [own]
    problems += [table.sources[network, name] for name in joined if (network, name) in table.sources]
    values = {name: row[at[name]] for name in table.columns if name in used and name != "network"}
    return Counterexample(row[at["network"]], values, tuple(dict.fromkeys(problems)))
