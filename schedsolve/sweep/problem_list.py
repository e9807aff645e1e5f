"""Lists of problems in TOML files, for `schedsolve compare`.

A file has a group of problems for every table [[problem]]: `model`, `task`, `network` or a list `networks`,
and any parameters of the task, named as in problem files; a `title` if wanted. At the top there may be
`time_limit`, in seconds for every problem. Networks that are files are looked for beside the TOML file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schedsolve.errors import InputError
from schedsolve.models import build_problem
from schedsolve.network.families import is_family
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

OWN_KEYS = {"title", "model", "task", "network", "networks", "directed"}


@dataclass(frozen=True)
class ProblemGroup:
    """Problems of one model and task with the same parameters, on one or more networks."""

    title: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class ProblemList:
    """The groups of a file, and the seconds that each problem may take; None for no limit."""

    groups: tuple[ProblemGroup, ...]
    time_limit: float | None = None


def read_problem_list(path: str) -> ProblemList:
    """Read a TOML file of problems. Raises InputError when it cannot be read, is none, or has a problem that
    cannot be posed.
    """
    import tomllib

    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML file: {error}") from None
    limit, entries = data.get("time_limit"), data.get("problem")
    if limit is not None and (
        isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit < float("inf")
    ):
        raise InputError(f"{path}: time_limit is a number of seconds above 0, not {limit!r:.60}")
    if not isinstance(entries, list) or not entries or set(data) - {"problem", "time_limit"}:
        raise InputError(
            f"{path}: a list of problems has tables [[problem]], and perhaps time_limit before them"
        )
    groups = []
    for number, entry in enumerate(entries, 1):
        try:
            groups.append(_group(entry, Path(path).parent))
        except InputError as error:
            raise InputError(f"{path}: problem {number}: {error}") from None
    return ProblemList(tuple(groups), None if limit is None else float(limit))


def _group(entry: Any, folder: Path) -> ProblemGroup:
    if (
        not isinstance(entry, dict)
        or not isinstance(entry.get("model"), str)
        or not isinstance(entry.get("task"), str)
    ):
        raise InputError('it needs model = "NAME" and task = "NAME"')
    specs = entry.get("networks", [entry["network"]] if "network" in entry else [])
    if (
        not isinstance(specs, list)
        or not specs
        or not all(isinstance(spec, str) for spec in specs)
        or {"network", "networks"} <= set(entry)
    ):
        raise InputError('it needs network = "cycle:9" or networks = ["cycle:9", ...]')
    directed, title = entry.get("directed", False), entry.get("title", f"{entry['model']} {entry['task']}")
    if not isinstance(directed, bool) or not isinstance(title, str):
        raise InputError("directed is true or false, and title a text")
    parameters = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    networks = (
        Network.from_spec(spec if is_family(spec) else str(folder / spec), directed=directed)
        for spec in specs
    )
    return ProblemGroup(
        title,
        tuple(build_problem(entry["model"], entry["task"], network, parameters) for network in networks),
    )
