"""Lists of problems in TOML files, for `schedsolve sweep` and `schedsolve compare`.

A file has one table [[problem]] per group of similar problems: `model`, `task` and `network`, or lists
`models`, `tasks` and `networks`; any parameters of the task, named as in problem files; and optionally a
`title` and a `time_limit` in seconds. A `time_limit` at the top applies to all tables. A network may
stand for a set of networks (see `schedsolve.network.classes.sets`); file names are relative to the TOML file.

The value of a parameter may be a list, or a range as text, "2..7": each value is used in turn, and
several such parameters give every combination. If the parameter itself takes a list, as `targets` does,
one list is one value, and a list of lists gives several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, get_model
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import duration
from schedsolve.runtime.limits.budget import naming

OWN_KEYS = {
    "title", "model", "models", "task", "tasks", "network", "networks", "directed", "ignore_bandwidths",
    "time_limit",
}  # fmt: skip
MOST_VALUES = 1000
"""The most values of a range."""


@dataclass(frozen=True)
class ProblemGroup:
    """Problems of one model and task with the same parameters on one or more networks.

    `time_limit` is the limit of each problem in seconds, or None.
    """

    title: str
    problems: tuple[Problem, ...]
    time_limit: float | None = None


@dataclass(frozen=True)
class ProblemList:
    """The groups of a file."""

    groups: tuple[ProblemGroup, ...]


def read_problem_list(path: str) -> ProblemList:
    """Return the problems that a TOML file lists.

    Raises
    ------
    InputError
        If the file cannot be read, is not a valid list, or has a problem that cannot be posed.
    """
    import tomllib

    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except RecursionError:
        raise InputError(f"{path} is not a valid TOML file: its lists are nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a valid TOML file: {error}") from None
    except ValueError:
        raise InputError(f"{path} cannot be read: a number in it has too many digits") from None
    entries = data.get("problem")
    if not isinstance(entries, list) or not entries or set(data) - {"problem", "time_limit"}:
        raise InputError(
            f"{path}: a list of problems has tables [[problem]], and perhaps time_limit before them"
        )
    with naming(path):
        limit = _time_limit(data)
    groups: list[ProblemGroup] = []
    for number, entry in enumerate(entries, 1):
        with naming(f"{path}: problem {number}"):
            groups += _groups(entry, Path(path).parent, limit)
    return ProblemList(tuple(groups))


def _time_limit(table: Mapping[str, Any]) -> float | None:
    if "time_limit" not in table:
        return None
    limit = duration(table["time_limit"])
    if not limit:
        raise InputError(f"time_limit is a number of seconds above 0, not {shown(table['time_limit'])}")
    return limit


def _groups(entry: Any, folder: Path, limit: float | None) -> Iterator[ProblemGroup]:
    """Yield the groups of one table: one for each model, task and combination of parameters."""
    if not isinstance(entry, dict):
        raise InputError('it needs model = "NAME" and task = "NAME"')
    models = _names(entry, "model", 'it needs model = "NAME" and task = "NAME"')
    tasks = _names(entry, "task", 'it needs model = "NAME" and task = "NAME"')
    specs = _names(entry, "network", 'it needs network = "cycle:9" or networks = ["cycle:9", ...]')
    directed, plain = entry.get("directed", False), entry.get("ignore_bandwidths", False)
    title = entry.get("title", "")
    if not isinstance(directed, bool) or not isinstance(plain, bool) or not isinstance(title, str):
        raise InputError("directed and ignore_bandwidths are true or false, and title a text")
    given = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    own = _time_limit(entry)
    networks = [found for spec in specs for found in networks_of(spec, directed=directed, folder=folder)]
    if not networks:
        raise InputError(f"there is no network in {', '.join(specs)}")
    for model, task in product(models, tasks):
        posed: dict[str, list[Problem]] = {}
        for network in networks:
            for chosen, words in _combinations(model, task, given, network):
                problem = build_problem(model, task, network, chosen, ignore_bandwidths=plain)
                posed.setdefault(words, []).append(problem)
        for words, problems in posed.items():
            name = f"{model} {task}{words}"
            several = len(models) * len(tasks) * len(posed) > 1
            heading = (f"{title}: {name}" if several else title) if title else name
            yield ProblemGroup(heading, tuple(problems), limit if own is None else own)


def _names(entry: Mapping[str, Any], name: str, complaint: str) -> Sequence[str]:
    """Return the texts under a name, one or a list, or under its plural."""
    several = f"{name}s"
    value = entry.get(several, entry.get(name))
    values = value if isinstance(value, list) else [value]
    if (name in entry and several in entry) or not values or not all(isinstance(v, str) for v in values):
        raise InputError(complaint)
    return values


def _combinations(
    model: str, task: str, given: Mapping[str, Any], network: Network
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every combination of the parameters' values, with a text that names what varies."""
    readers = {p.name: p.read for p in get_model(model, given).tasks.get(task, ())}
    choices: list[list[tuple[str, Any, str]]] = []
    for name, value in given.items():
        values = _alternatives(name, value)
        if values is not None and name in readers:
            with suppress(InputError):
                readers[name](value, network)
                values = None
        if values is None:
            choices.append([(name, value, "")])
        else:
            choices.append([(name, one, f" {name.replace('_', ' ')} {_text(one)}") for one in values])
    for chosen in product(*choices):
        yield {name: one for name, one, _ in chosen}, "".join(words for _, _, words in chosen)


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _alternatives(name: str, value: Any) -> list[Any] | None:
    """Return the values that a list or a range stands for, or None for any other value."""
    if isinstance(value, list):
        if not value:
            raise InputError(f"{name} is an empty list")
        return value
    match = re.fullmatch(r"([0-9]{1,9})\.\.([0-9]{1,9})", value) if isinstance(value, str) else None
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    if not first <= last < first + MOST_VALUES:
        raise InputError(
            f"{name} = {shown(value)}: a range is A..B with A <= B and at most {MOST_VALUES} values"
        )
    return list(range(first, last + 1))
