"""The document models and their registry; a new model is one folder beside this file and one line in MODULES."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from schedsolve.errors import InputError
from schedsolve.model import Model
from schedsolve.network import Network
from schedsolve.problem import Problem, problem_from_json

MODULES = ("matching",)


@cache
def models() -> dict[str, Model]:
    """The records of all models, by name."""
    records = [record for module in MODULES for record in import_module(f"schedsolve.models.{module}").MODELS]
    return {record.name: record for record in records}


def get_model(name: str) -> Model:
    """The record of a model. Raises InputError for an unknown name."""
    if name not in models():
        raise InputError(f"unknown model '{name}'; the models are {', '.join(models())}")
    return models()[name]


def build_problem(model: str, task: str, network: Network, options: Mapping[str, Any] | None = None) -> Problem:
    """A problem with its parameters read and its defaults filled in.

    options: values by parameter name, as text from a command line or as JSON values; None stands for "not given".
    Raises InputError for an unknown model, task or option, a bad value, or a problem that the model cannot pose.
    """
    record = get_model(model)
    if task not in record.tasks:
        raise InputError(f"{model} has no task '{task}'; its tasks are {', '.join(record.tasks)}")
    given = {name: value for name, value in (options or {}).items() if value is not None}
    known = {parameter.name: parameter for parameter in record.tasks[task]}
    for name in given:
        if name not in known:
            raise InputError(f"--{name} means nothing for {model} {task}; its parameters are {', '.join('--' + k for k in known)}")
    parameters = {name: p.read(given[name], network) if name in given else p.default(network) for name, p in known.items()}
    problem = Problem(model, task, network, {name: value for name, value in parameters.items() if value is not None})
    record.check(problem)
    return problem


def read_problem(data: Any) -> Problem:
    """The problem in a JSON object, checked and with its defaults filled in. Raises InputError as `build_problem` does."""
    raw = problem_from_json(data)
    return build_problem(raw.model, raw.task, raw.network, raw.parameters)
