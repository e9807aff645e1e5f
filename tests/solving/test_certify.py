"""What a certificate holds: a refutation only where nothing else proves the bound, or if one is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schedsolve import InputError, build_problem, check, compare, solve, solve_many
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.search import Certify
from schedsolve.solving.store import ResultKey, Store
from tests.command_line import Cli
from tests.solving.in_process import Here

PROVEN = {
    "a distance": ("telephone gossip path:5", {}),
    "a theorem": ("telegraph gossip cycle:8", {}),
    "the worst source": ("telephone broadcast path:5", {"source": "max"}),
    "too few rounds": ("telephone gossip path:4", {"rounds": 2}),
    "a period": ("telegraph gossip tree:2,2", {"period": 4}),
    "long-distance calls": ("line broadcast cycle:6", {"source": 0, "ports": 1}),
}
"""Problems whose bound needs no search."""
PAW = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]


def posed(name: str) -> Any:
    """The problem of a case."""
    line, options = PROVEN[name]
    return build_problem(*line.split(), options)  # type: ignore[call-overload]


def kinds(result: Result) -> set[str]:
    """The kinds of evidence that prove the bound of a result."""
    return {bound.evidence["kind"] for bound in result.certificate if bound.evidence}


@pytest.mark.parametrize("name", PROVEN)
def test_where_a_theorem_proves_the_bound(name: str) -> None:
    """Nothing is refuted unless that is asked for; either file is verified wholly, and strictly."""
    plain, refuted = (solve(posed(name), certify=how) for how in (True, "refutation"))
    assert (plain.value, plain.lower_bound) == (refuted.value, refuted.lower_bound)
    assert kinds(plain)
    assert "refutation" not in kinds(plain)
    assert kinds(refuted) == kinds(plain) | {"refutation"}
    for result in (plain, refuted):
        report = check(result)
        assert (report.failed, report.complete) == (False, True)


@pytest.mark.parametrize("certify", [True, "refutation"])
def test_where_only_a_search_proves_it(certify: Certify) -> None:
    """A triangle with a leaf gossips in 3 rounds, not 2, and no theorem says so: there is a refutation."""
    result = solve(build_problem("telephone", "gossip", PAW), certify=certify)
    assert (result.value, kinds(result)) == (3, {"refutation"})
    assert check(result).complete


def test_a_file_without_its_evidence_is_not_verified(cli: Cli) -> None:
    """Without a refutation beside it, the theorem's bound is all that proves it, and altering it shows."""
    data = solve(posed("a theorem"), certify=True).to_json()
    for change in ({"kind": "degree-growth"}, {"kind": "refutation", "rounds": 6}, {"kind": "no such"}):
        altered = json.loads(json.dumps(data))
        for bound in altered["certificate"]["lower"]:
            bound["evidence"] = change
        Path("altered.json").write_text(json.dumps(altered))
        assert cli("check altered.json --strict").status == 1
    Path("none.json").write_text(json.dumps({**data, "certificate": None}))
    assert (cli("check none.json").status, cli("check none.json --strict").status) == (0, 1)


def test_the_option(cli: Cli) -> None:
    """A bare --certify takes no word with it, wherever it stands; --certify refutation is one option."""
    task = "telephone gossip path:5"
    for line in (f"solve --certify {task}", f"solve {task} --certify", f"solve {task} -o r.json"):
        assert "refutation" not in cli(f"{line} --json").out
    for line in (
        f"solve --certify refutation {task}",
        f"solve {task} --certify=refutation",
        f"solve {task} -o r.json --certify refutation",
    ):
        assert '"kind": "refutation"' in cli(f"{line} --json").out
    assert "refutation" not in cli(f"solve {task} --no-certify --json").out
    assert cli(f"solve {task} --certify always").status == 2


def test_it_holds_for_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a store, a theorem's certificate does not answer for a refutation; the other way round it does."""
    monkeypatch.setattr("schedsolve.runtime.executors.processes.Processes", Here)
    problem, file = posed("a distance"), str(tmp_path / "r.db")
    hows: tuple[Certify, ...] = (True, "refutation", True)
    for certify in hows:
        (result,) = solve_many([problem], certify=certify, store=file, workers=1)
        assert ("refutation" in kinds(result)) == (certify == "refutation")
    with Store(file) as store:
        assert all(len(store.answers(ResultKey(certify=how))) == 1 for how in (False, *hows))
    assert "refutation" in kinds(compare([problem], certify="refutation", store=file)[0].result)


@pytest.mark.parametrize("certify", ["yes", 1, None, "Refutation"])
def test_other_values_are_refused(certify: Any) -> None:
    """In one line that says what it takes."""
    for ask in (solve, lambda problem, **how: solve_many([problem], **how)):
        with pytest.raises(InputError, match="certify takes True, False or 'refutation'"):
            ask(posed("a distance"), certify=certify)
