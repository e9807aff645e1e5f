"""Claims tested on a store: an expression that is to be true for every row.

A claim may speak of several tasks on one network: a column named by model and task has the optimum of that
task. A claim that speaks of such columns and of the network only has a row a network, any other a row a
problem.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.errors import InputError, shown
from schedsolve.escapes import shell_line
from schedsolve.models import models_named
from schedsolve.network.invariants import INVARIANTS
from schedsolve.sweep.expressions import UndecidedError, compiled
from schedsolve.sweep.results import COLUMNS, read_table
from schedsolve.sweep.table_file import Source

HELP = (
    "besides the columns, a claim knows the optima of tasks on the same network as MODEL_TASK, with _min or\n"
    "_max for the best or worst source or root, and _NAME_VALUE for other parameters that are not the usual\n"
    "ones; without MODEL_ where the store has it for one model only. Of a problem with period=min, such as\n"
    "telephone_gossip_period_min, it is the least period. A claim of these and of the network alone is\n"
    "tested once a network, any other once a problem."
)
LEAST_PERIOD = "period=min"
"""Of a row's parameters: that what is asked for is a period."""
_USUAL = {("source", "0"), ("root", "0"), ("ports", "all")}
"""Parameters that the names of joined columns leave out."""
_OF_NETWORKS = frozenset({"network", "network_id", *INVARIANTS})


@dataclass(frozen=True)
class Question:
    """What a joined column has the optimum of: a model, a task and its parameters, as rows have them."""

    model: str
    task: str
    parameters: str

    @property
    def options(self) -> str:
        """The parameters that the task has, as a command line has them: "--source min"."""
        words = []
        for part in self.parameters.split():
            name, _, value = part.partition("=")
            if name in self._known:
                words += [f"--{name.replace('_', '-')}", *([] if value == "True" else [value])]
        return shell_line(*words)

    @property
    def _known(self) -> set[str]:
        """The names of the parameters that the task has."""
        return {p.name for m in models_named(self.model) for p in m.tasks.get(self.task, ())}

    def command(self, network: str) -> str:
        """The command that solves it on a network."""
        words = shell_line("schedsolve", "solve", self.model, self.task, network)
        return f"{words} {self.options}".rstrip()


@dataclass(frozen=True)
class Counterexample:
    """A row for which a claim is false: the network, the values of the columns that the claim reads, and the
    questions that these are about, each with the id of its problem, where the rows have it.
    """

    network: str
    values: Mapping[str, Any]
    problems: tuple[tuple[Question, str | None], ...]


@dataclass(frozen=True)
class Verdict:
    """What became of a claim: for how many rows it holds, the rows for which it is false, and for how many it
    is undecided, as their problem is not solved to optimality or a value is missing. per: what a row is.
    """

    claim: str
    per: str
    holds: int
    undecided: int
    counterexamples: tuple[Counterexample, ...]

    @property
    def fails(self) -> bool:
        """Whether the claim is false for a row."""
        return bool(self.counterexamples)

    @property
    def rows(self) -> int:
        """How many rows it was tested on."""
        return self.holds + self.undecided + len(self.counterexamples)


@dataclass(frozen=True)
class ClaimTable:
    """The rows of a store with the joined columns behind the usual ones; tasks: their names, each with the
    question whose optimum it has; of several names the one with the model is first.
    """

    columns: tuple[str, ...]
    tasks: Mapping[str, Question]
    rows: Sequence[Sequence[Any]]
    sources: Mapping[tuple[int, str], tuple[Question, str | None]]
    """The questions behind joined columns with their problems' ids, by the network's number and column."""

    @property
    def joined(self) -> frozenset[str]:
        """The names of the joined columns."""
        return frozenset(self.tasks)


def claim_table(store: Source, where: str | None = None) -> ClaimTable:
    """The rows for which an expression is true, each with the optima of all tasks on its network."""
    table = read_table(store, tuple(COLUMNS))
    at = {name: i for i, name in enumerate(table.columns)}
    named = [_joined_names(row, at) for row in table.rows]
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
    return ClaimTable((*table.columns, *tasks), tasks, full, sources)


def _joined_names(row: Sequence[Any], at: Mapping[str, int]) -> tuple[str, str, str]:
    """The names of the column for a row's task: with the model, without, and as min_broadcast."""
    words, choice = [row[at["task"]]], []
    for part in row[at["parameters"]].split():
        name, _, value = part.partition("=")
        if name in ("source", "root") and value in ("min", "max"):
            choice.append(value)
        elif (name, value) not in _USUAL:
            words += [name, value]
    names = (
        [row[at["model"]], words[0], *choice, *words[1:]],
        [words[0], *choice, *words[1:]],
        [*choice, *words],
    )
    long, brief, other = (re.sub(r"\W", "_", "_".join(parts)) for parts in names)
    return long, brief, other


def _answer(row: Sequence[Any], at: Mapping[str, int]) -> str:
    """The column with what a row's problem asks for."""
    return "period" if LEAST_PERIOD in row[at["parameters"]].split() else "value"


def columns_read(table: ClaimTable, where: str | None) -> dict[str, int]:
    """The columns that an expression reads, but for the network's name, each with its place in a row."""
    used = frozenset[str]() if where is None else compiled(where, table.columns)[1]
    return {name: i for i, name in enumerate(table.columns) if name in used - {"network"}}


def networks_where(table: ClaimTable, where: str | None = None) -> dict[int, Sequence[Any]]:
    """For every network, by its number, a row: of those for which an expression is true the first."""
    condition = None if where is None else compiled(where, table.columns)[0]
    number = table.columns.index("network_id")
    found: dict[int, Sequence[Any]] = {}
    for row in table.rows:
        if row[number] not in found and (condition is None or condition(row)):
            found[row[number]] = row
    return found


def verdict_on(table: ClaimTable, claim: str) -> Verdict:
    """Test a claim on every row. Raises InputError for a claim that is no expression of truth."""
    test, used = compiled(claim, table.columns, strict=True)
    per_network = bool(used) and used <= table.joined | _OF_NETWORKS and bool(used & table.joined)
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
            raise InputError(f"a claim is true or false; {shown(claim)} is {shown(answer)}")
        elif answer:
            holds += 1
        else:
            false.append(_counterexample(table, row, at, used, per_network))
    return Verdict(claim, "network" if per_network else "problem", holds, undecided, tuple(false))


def _counterexample(
    table: ClaimTable, row: Sequence[Any], at: Mapping[str, int], used: frozenset[str], per_network: bool
) -> Counterexample:
    network = row[at["network_id"]]
    joined = [name for name in table.columns if name in used & table.joined]
    own = Question(row[at["model"]], row[at["task"]], row[at["parameters"]]), row[at["problem_id"]]
    problems = [] if per_network else [own]
    problems += [table.sources[network, name] for name in joined if (network, name) in table.sources]
    values = {name: row[at[name]] for name in table.columns if name in used and name != "network"}
    return Counterexample(row[at["network"]], values, tuple(dict.fromkeys(problems)))
