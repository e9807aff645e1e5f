"""Refutations by pairs of distant nodes: the kernel's formula is that of the claims, an exported bundle rests
on nothing, and what was altered is refused.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from schedsolve.export.bundles.bundle import bundle_of
from schedsolve.kernel.distant_pairs import distant_pairs_formula
from schedsolve.kernel.network import network_of
from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.formulas.dimacs import dimacs_text
from schedsolve.modelkit.problem import Problem
from schedsolve.models import read_problem
from tests.evidence.catalogue import Entry
from tests.export.bundles import Contents, verified
from tests.export.kernel.posed import bound_of, posed, problem_of
from tests.export.kernel.test_formulas import refutation_of, same_formula

MODES = ("telephone", "telegraph")
Json = dict[str, Any]


@pytest.mark.parametrize("line", [
    *(f"{mode} gossip {name}" for mode in MODES for name in ("cycle:6", "path:5", "grid:2x4", "petersen")),
    "telegraph gossip kautz:2,2",
])  # fmt: skip
def test_it_is_that_of_the_claims(line: str) -> None:
    """For all pairs and for some, in any order, from as many rounds as the farthest of them is away."""
    problem, rng = problem_of(line), Random(5)
    network = problem.network
    nodes = range(network.node_count)
    every = [[i, j] for i in nodes for j in nodes if i != j]
    for pairs in (every, rng.sample(every, 6), [*rng.sample(every, 3), every[0], every[0]]):
        farthest = max(network.distances_from([i])[j] or 0 for i, j in pairs)
        for rounds in (farthest, farthest + 2):
            same_formula(problem, rounds, premise="distant pairs", pairs=pairs)


@pytest.fixture(scope="module", params=MODES)
def exported(request: pytest.FixtureRequest) -> tuple[Problem, Json, Contents]:
    """A problem, the evidence of the catalogue for its bound, and the bundle."""
    data = Entry(request.param, "refutation, distant pairs").data
    [bound] = data["certificate"]["lower"]
    return read_problem(data["problem"]), bound["evidence"], bundle_of(data, 0)


def _files(contents: Contents) -> dict[str, str]:
    return {name: contents[name].decode() for name in ("formula.cnf", "proof.lrat")}


def test_a_bundle_rests_on_nothing(
    exported: tuple[Problem, Json, Contents],
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It says so, and what its argument is."""
    contents = exported[2]
    assert "On nothing but verify.py and Python." in contents["claim.md"].decode()
    assert verified(contents, tmp_path, monkeypatch) == 0
    said = capsys.readouterr().out
    assert said.startswith("Verified: ")
    assert "\nIn every gossip the items of the pairs of nodes in evidence.json arrive.\n" in said


def test_what_was_altered(exported: tuple[Problem, Json, Contents]) -> None:
    """Fewer pairs and more rounds, with the formula as it was and with one to fit, and another proof."""
    problem, evidence, contents = exported
    what, files, value = posed(problem), _files(contents), evidence["rounds"] + 1
    assert bound_of(what, evidence, value, files) == value
    fewer, longer = evidence | {"pairs": evidence["pairs"][:4]}, evidence | {"rounds": value}
    for changed in (fewer, longer):
        asked = changed["rounds"] + 1
        with pytest.raises(WrongError, match=r"formula\.cnf"):
            bound_of(what, changed, asked, files)
        _, cnf, _ = refutation_of(problem, changed["rounds"], premise="distant pairs", pairs=changed["pairs"])
        with pytest.raises(WrongError, match=r"proof\.lrat"):
            bound_of(what, changed, asked, files | {"formula.cnf": dimacs_text(cnf)})
    lines = files["proof.lrat"].splitlines()
    for proof in ("", "\n".join(lines[:-1]), "\n".join(lines[1:])):
        with pytest.raises(WrongError, match=r"proof\.lrat"):
            bound_of(what, evidence, value, files | {"proof.lrat": proof})
    order = evidence | {"pairs": evidence["pairs"][::-1]}
    with pytest.raises(WrongError, match=r"formula\.cnf: clause"):
        bound_of(what, order, value, files)


@pytest.mark.parametrize("pair", [[0, 5], [-1, 0], [0, True], [0, "1"], [0, 1.0], [2, 2], [0], [0, 1, 2], 3])
def test_what_are_no_pairs(exported: tuple[Problem, Json, Contents], pair: Any) -> None:
    """No node, the same node twice, too few and too many."""
    problem, evidence, contents = exported
    changed = evidence | {"pairs": [*evidence["pairs"], pair]}
    says = "not two nodes" if isinstance(pair, list) and len(pair) == 2 else "unpack"
    with pytest.raises((WrongError, ValueError, TypeError), match=says):
        bound_of(posed(problem), changed, evidence["rounds"] + 1, _files(contents))


def test_other_tasks(exported: tuple[Problem, Json, Contents]) -> None:
    """A broadcast brings no items of pairs; and without pairs there is nothing to refute."""
    problem, evidence, contents = exported
    broadcast = posed(problem_of(f"{problem.model} broadcast cycle:5 --source 0"))
    with pytest.raises(WrongError, match="of a gossip"):
        bound_of(broadcast, evidence, evidence["rounds"] + 1, _files(contents))
    with pytest.raises(WrongError, match=r"formula\.cnf"):
        bound_of(posed(problem), evidence | {"pairs": []}, evidence["rounds"] + 1, _files(contents))


def test_pairs_that_are_too_far() -> None:
    """Farther than the rounds, or not to be reached at all."""
    path = network_of(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1)], False)
    assert distant_pairs_formula(path, True, 3, [(0, 3)]).clauses
    one_way = network_of(3, [(0, 1, 1), (1, 2, 1)], True)
    assert distant_pairs_formula(one_way, False, 2, [(0, 2)]).clauses
    for network, rounds, pair in ((path, 2, (0, 3)), (one_way, 4, (2, 0)), (path, 0, (0, 1))):
        with pytest.raises(WrongError, match="the distance from"):
            distant_pairs_formula(network, not network.directed, rounds, [pair])
