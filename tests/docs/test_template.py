"""The model that models/TEMPLATE.md shows works as it stands."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from types import ModuleType

import pytest

import schedsolve.models
from schedsolve import Network, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.errors import InputError
from schedsolve.modelkit.record import Model
from schedsolve.models import replay
from schedsolve.result import Status, result_to_json
from schedsolve.schedule import Schedule
from schedsolve.solving.constructions import construct

PAGE = Path(__file__).parents[2] / "models" / "TEMPLATE.md"


@pytest.fixture
def flooding(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """The record in the page's Python block, registered as a model's folder would be."""
    (block,) = re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    module = ModuleType("schedsolve.models.flooding")
    exec(compile(block, str(PAGE), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(schedsolve.models, "MODULES", (*schedsolve.models.MODULES, "flooding"))
    schedsolve.models.models.cache_clear()
    yield module.MODELS[0]
    monkeypatch.undo()
    schedsolve.models.models.cache_clear()


def test_its_referee_accepts_and_refuses(flooding: Model) -> None:
    """On a path of three nodes: a whole schedule, one that stops early, and two that break a rule."""
    problem = build_problem("flooding", "broadcast", Network.from_spec("path:3"), {"source": 0})
    seen = replay(problem, Schedule.one_way([[(0, 1)], [(1, 0), (1, 2)]]))
    assert (seen.value, seen.violation) == (2, None)
    early = replay(problem, Schedule.one_way([[(0, 1)]]))
    assert early.legal
    assert early.violation == "after the last round (1): node 2 does not know the message"
    for rounds in ([[(0, 2)]], [[(1, 2)]]):
        seen = replay(problem, Schedule.one_way(rounds))
        assert seen.violation
        assert not seen.legal


@pytest.mark.parametrize("spec", ["path:1", "path:5", "cycle:9", "grid:3x4", "petersen"])
def test_it_is_solved_and_checked(flooding: Model, spec: str) -> None:
    """Bound and construction meet at the distance to the farthest node, and the checker agrees."""
    problem = build_problem("flooding", "broadcast", Network.from_spec(spec), {"source": 0})
    result = solve(problem)
    assert result.status is Status.OPTIMAL
    assert result.value == problem.network.eccentricities[0]
    assert not check_data(result_to_json(result)).failed
    assert [c.value for c in construct(problem)] == [result.value]
    assert flooding.story(problem, result.schedule or Schedule()).goal == (1,) * problem.network.node_count


def test_what_it_cannot_pose_is_refused(flooding: Model) -> None:
    """An open source, and a node that cannot be reached."""
    apart = Network(3, ((0, 1),))
    for network, source in ((Network.from_spec("path:3"), "min"), (apart, 0)):
        with pytest.raises(InputError):
            build_problem("flooding", "broadcast", network, {"source": source})


def test_the_required_fields_are_named() -> None:
    """The page lists the fields of the record without a default as required, and the others in its table."""
    text = PAGE.read_text(encoding="utf-8")
    (required,) = re.findall(r"^Required: (.*?)\.", text, re.MULTILINE)
    without = [f.name for f in fields(Model) if f.default is MISSING and f.default_factory is MISSING]
    assert re.findall(r"`(\w+)`", required) == without
    table = set(re.findall(r"^\| `(\w+)` \|", text.partition("## The record")[2], re.MULTILINE))
    assert table == {f.name for f in fields(Model)} - set(without)
