"""The model that models/TEMPLATE.md shows works as it stands, and its table of hooks is true."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest

import schedsolve.models
from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.commands.cli import main
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Status, result_to_json
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Progress
from schedsolve.modelkit.verb import Verb
from schedsolve.models import Entry, models, replay
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct

PAGE = Path(__file__).parents[2] / "models" / "TEMPLATE.md"


@pytest.fixture
def parcel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """The record in the page's Python block, registered as a model's folder would be: by one line."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = ("schedsolve.models.parcel", "schedsolve.drawing.traces.by_model.parcel")
    module, drawn = map(ModuleType, names)
    for made, block in zip((module, drawn), blocks, strict=True):
        monkeypatch.setitem(sys.modules, made.__name__, made)
        exec(compile(block, str(PAGE), "exec"), made.__dict__)
    monkeypatch.setattr(
        schedsolve.models, "MODULES", (*schedsolve.models.MODULES, Entry("parcel", ("parcel",)))
    )
    schedsolve.models._records.cache_clear()
    yield module.MODELS[0]
    schedsolve.models._records.cache_clear()


def test_its_referee_accepts_and_refuses(parcel: Model) -> None:
    """On a path of three nodes with two pieces: a whole schedule, one that stops early, and two that break a
    rule.
    """
    problem = build_problem("parcel", "broadcast", Network.from_spec("path:3"), {"pieces": 2})
    labels = problem.network.labels

    def read(*rounds: list[tuple[int, int, list[int]]]) -> Schedule:
        calls = [[{"from": u, "to": v, "pieces": p} for u, v, p in calls] for calls in rounds]
        schedule: Schedule = parcel.form.read({"rounds": calls}, problem.network)
        assert parcel.form.read(schedule.to_json(labels), problem.network) == schedule
        return schedule

    seen = replay(problem, read([(0, 1, [0])], [(0, 1, [1]), (1, 2, [0])], [(1, 2, [1])]))
    assert (seen.value, seen.violation) == (Fraction(3, 2), None)
    early = replay(problem, read([(0, 1, [0, 1])]))
    assert early.legal
    assert early.violation == "after the last round: node 2 misses a piece"
    for rounds in ([(0, 2, [0])], [(1, 2, [0])]):
        seen = replay(problem, read(rounds))
        assert seen.violation
        assert not seen.legal
    with pytest.raises(InputError, match='a call has "packets", which means nothing here'):
        parcel.form.read({"rounds": [[{"from": 0, "to": 1, "packets": [0]}]]}, problem.network)
    assert replay(problem, Schedule(((Call(0, 1),),), period=1)).violation


@pytest.mark.parametrize("spec", ["path:1", "path:5", "cycle:9", "grid:3x4", "petersen"])
def test_it_is_solved_and_checked(parcel: Model, spec: str) -> None:
    """Bound and improvement meet at (pieces + distance - 1) / pieces, and the checker agrees."""
    problem = build_problem("parcel", "broadcast", Network.from_spec(spec), {"source": 0})
    result = solve(problem, Options(certify=True))
    far = problem.network.eccentricities[0]
    assert result.status is Status.OPTIMAL
    assert result.value == (Fraction(3 + far, 4) if far else 0)
    assert check_data(result_to_json(result)).complete
    assert [c.value for c in construct(problem)] == [far]


def test_interrupted_it_keeps_what_it_has(parcel: Model) -> None:
    """Ctrl-C while the improvement works leaves the construction and the bound."""

    def stop(progress: Progress) -> None:
        if progress.activity == "piece by piece":
            raise KeyboardInterrupt

    problem = build_problem("parcel", "broadcast", Network.from_spec("path:5"), {})
    result = solve(problem, Options(progress=stop))
    assert (result.status, result.value, result.lower_bound) == (Status.BOUNDED, 4, Fraction(7, 4))
    assert result.interrupted


def test_by_the_command_line(parcel: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solved with two ways of asking, checked, drawn, played, compared; a foreign backend is refused."""
    file = str(tmp_path / "parcel.json")
    asked = ["parcel", "broadcast", "grid:2x3", "--pieces", "3"]
    assert main(["solve", *asked, "--output", file]) == 0
    assert "optimal: weight 5/3, proven on both sides" in capsys.readouterr().out
    assert json.loads(Path(file).read_text())["objective"] == "weight"
    assert main(["check", "--strict", file]) == 0
    for out in ("parcel.svg", "parcel.html"):
        assert main(["draw", file, "-o", str(tmp_path / out)]) == 0
        assert (tmp_path / out).stat().st_size > 1000
    capsys.readouterr()
    assert main(["compare", *asked]) == 0
    assert "5/3" in capsys.readouterr().out
    assert main(["solve", *asked, "--backend", "sat"]) == 2


def test_what_it_cannot_pose_is_refused(parcel: Model) -> None:
    """An open source, and a node that cannot be reached."""
    apart = Network(3, ((0, 1),))
    for network, source in ((Network.from_spec("path:3"), "min"), (apart, 0)):
        with pytest.raises(InputError):
            build_problem("parcel", "broadcast", network, {"source": source})


def test_the_hooks_and_their_users() -> None:
    """The page lists the fields without a default as required, and the others with the models that use them;
    each has two or says why not. A record that grows beyond 20 fields is more than a head holds.
    """
    assert len(fields(Model)) <= 20
    text = PAGE.read_text(encoding="utf-8")
    (required,) = re.findall(r"^Required: (.*?)\.", text, re.MULTILINE | re.DOTALL)
    without = [f.name for f in fields(Model) if f.default is MISSING and f.default_factory is MISSING]
    assert re.findall(r"`(\w+)`", required) == without
    pattern = r"^\| `([\w.]+)` \| (.*) \| (.*) \|$"
    rows = re.findall(pattern, text.partition("## The record")[2], re.MULTILINE)
    hooks: dict[str, object] = dict.fromkeys(("decisions", "improvements", "bound_searches"), ())
    hooks["existence"] = {}
    for field in fields(Model):
        if field.name not in without:
            default = field.default if field.default is not MISSING else {}
            hooks[field.name] = default
    assert {name for name, _, _ in rows} == set(hooks)
    for name, meaning, users in rows:
        found = [model.title for model in models().values() if attrgetter(name)(model) != hooks[name]]
        assert [user for user in users.split(", ") if user] == found, name
        assert len({title.split(" ")[0] for title in found}) > 1 or "Why " in meaning, name


def _verbs_of(entry: Entry) -> tuple[Verb, ...]:
    folder = f"schedsolve.models.{entry.module}"
    if importlib.util.find_spec(f"{folder}.command") is None:
        return ()
    verbs: tuple[Verb, ...] = importlib.import_module(f"{folder}.command").VERBS
    return verbs


def test_the_registry_is_true() -> None:
    """Every line of the registry gives the names of its records, the variant of the first, and its verbs."""
    for entry in schedsolve.models.MODULES:
        records = schedsolve.models._records(entry.module)
        first = {record.name: record.variant for record in reversed(records)}
        assert first == dict.fromkeys(entry.names, entry.variant)
    for entry in schedsolve.models.MODULES:
        brought: dict[str, list[str]] = {}
        for verb in _verbs_of(entry):
            brought.setdefault(verb.name, []).append(verb.summary)
        assert {name: "; ".join(said) for name, said in brought.items()} == dict(entry.verbs)
    for entry in schedsolve.models.MODULES:
        folder = importlib.import_module(f"schedsolve.models.{entry.module}")
        assert tuple(getattr(folder, "CHECKS", {})) == entry.formats
