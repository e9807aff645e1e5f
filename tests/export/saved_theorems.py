"""Certified results for the tests of theorems, solved once."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.evidence import builders
from tests.models.matching.problems import posed


@cache
def saved_text(line: str) -> str:
    """The certified result of a problem, as text. line: as on the command line."""
    model, task, network, *options = line.split()
    names = [name.removeprefix("--").replace("-", "_") for name in options[::2]]
    parameters: dict[str, Any] = dict(zip(names, options[1::2], strict=True))
    problem = build_problem(model, task, Network.from_spec(network), parameters)
    return json.dumps(result_to_json(solve(problem, Options(certify="refutation", time_limit=20))))


def result(line: str) -> dict[str, Any]:
    """The same as data."""
    data: dict[str, Any] = json.loads(saved_text(line))
    return data


def by_pairs(model: str, network: str) -> dict[str, Any]:
    """The result of a gossip, whose bound rests on a refutation by pairs of nodes only."""
    data = result(f"{model} gossip {network}")
    evidence = builders.distant_pairs(posed(model, "gossip", network))
    bound = data["certificate"]["lower"][-1] | {"evidence": evidence}
    return data | {"certificate": data["certificate"] | {"lower": [bound]}}
