"""Unequal demands: allgatherv by sizes, alltoallv by a matrix, against a program of one flow a pair."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.commands.cli import main
from schedsolve.modelkit.demands import sizes_from_text
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import problem_to_json
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, read_problem
from schedsolve.models.pipelined.claims import EVIDENCE
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.schedule import Flow, PipelinedSchedule
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.solve import solve
from tests.needs import needs
from tests.reference.machines_ways import machine
from tests.reference.pair_flows import least_time

CLAIMS = lower_claims(EVIDENCE)

NETWORKS = ("path:4", "cycle:5", "star:4", "complete:4", "grid:2x3", "dgx1", "kautz:2,1", "leaf-spine:2,2,1")


@pytest.mark.parametrize("spec", NETWORKS)
def test_alltoallv_is_the_program_of_pairs(spec: str) -> None:
    """Random matrices, zeros among them, and some ranks: the same time, certified and checked."""
    network, random = Network.from_spec(spec), Random(spec)
    links = [(u, v, Fraction(network.bandwidth_of[u, v])) for u, v in network.arcs]
    of = machine(network.node_count, network.switches, links, directed=True)
    for _ in range(6):
        count = random.randint(2, min(5, len(network.compute_nodes)))
        ranks = sorted(random.sample(network.compute_nodes, count))
        sizes = [[random.choice((0, 0, 1, 2, 7)) for _ in ranks] for _ in ranks]
        sizes[0][1] = 3
        units = {(ranks[i], ranks[k]): sizes[i][k] for i, k in permutations(range(count), 2)}
        problem = build_problem("pipelined", "alltoallv", network, {"ranks": ranks, "sizes": sizes})
        result = solve(problem, Options(certify=True, time_limit=30))
        assert (str(result.status), result.value) == ("optimal", least_time(of, units))
        assert check_data(result_to_json(result)).complete


def test_equal_sizes_are_the_tasks_without_sizes() -> None:
    """A matrix of ones is an alltoall, twos take twice as long; ones are an allgather."""
    for spec in ("path:4", "cycle:5", "dgx1"):
        n = Network.from_spec(spec).node_count
        times = {
            task: solve(build_problem("pipelined", task, spec, options)).value
            for task, options in (
                ("alltoall", {}),
                ("allgather", {}),
                ("alltoallv", {"sizes": [[2] * n] * n}),
                ("allgatherv", {"sizes": [3] * n}),
            )
        }
        assert times["alltoallv"] == 2 * Fraction(times["alltoall"] or 0)
        assert times["allgatherv"] == 3 * Fraction(times["allgather"] or 0)


@needs("export")
@pytest.mark.parametrize(
    ("network", "sizes", "value"),
    [
        ("path:3", [1, 0, 0], 1),
        ("path:3", [4, 0, 1], 4),
        ("path:3", [2, 5, 2], 7),
        ("cycle:4", [6, 0, 0, 0], 3),
        ("complete:2", [3, 5], 5),
        ("dgx1", [0, 1, 2, 3, 4, 5, 6, 7], "14/3"),
    ],
)
def test_allgatherv(network: str, sizes: list[int], value: int | str) -> None:
    """By hand: the most that must cross a cut; with a bundle that verifies it."""
    from schedsolve.export.bundles.bundle import bundle_of

    problem = build_problem("pipelined", "allgatherv", network, {"sizes": sizes})
    result = solve(problem, Options(certify=True))
    assert (str(result.status), result.value) == ("optimal", Fraction(value))
    data = result_to_json(result)
    assert check_data(data).complete
    assert "verify.py" in bundle_of(data)


@needs("export")
def test_a_bundle_of_an_alltoallv() -> None:
    """It has the matrix in its claim."""
    from schedsolve.export.bundles.bundle import bundle_of

    problem = build_problem("pipelined", "alltoallv", "path:3", {"sizes": [[0, 1, 2], [0, 0, 0], [3, 0, 0]]})
    result = solve(problem, Options(certify=True))
    assert result.value == 3
    assert b"[3, 0, 0]" in bundle_of(result_to_json(result))["claim.md"]


@pytest.mark.parametrize(
    ("task", "sizes", "words"),
    [
        ("allgatherv", [1, 2], "takes 3 sizes"),
        ("allgatherv", [[1, 2, 3]], "takes 3 sizes"),
        ("allgatherv", [0, 0, 0], "every size is 0"),
        ("allgatherv", [1, -1, 0], "a size is a whole number"),
        ("allgatherv", [1, True, 0], "a size is a whole number"),
        ("allgatherv", [1, "2", 0], "a size is a whole number"),
        ("allgatherv", "sizes.csv", "sizes are a number for every rank"),
        ("allgatherv", [], "sizes are a number for every rank"),
        ("allgatherv", None, "sizes is needed"),
        ("alltoallv", [1, 2, 3], "3 rows of 3 sizes"),
        ("alltoallv", [[1, 2, 3]] * 2, "3 rows of 3 sizes"),
        ("alltoallv", [[1, 2]] * 3, "3 rows of 3 sizes"),
        ("alltoallv", [[5, 0, 0], [0, 5, 0], [0, 0, 5]], "every size is 0"),
        ("alltoallv", [[1, 2, 3], 4, 5], "all numbers, or all rows"),
        ("alltoall", [[1] * 3] * 3, "sizes means nothing"),
    ],
)
def test_refusals(task: str, sizes: Any, words: str) -> None:
    """One line each; a text in a file names no other file."""
    with pytest.raises(InputError, match=words):
        build_problem("pipelined", task, "path:3", {"sizes": sizes})


def test_sizes_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A CSV file of a row, of rows; the sizes stand in the result, which needs no other file."""
    rows, one, wrong = (tmp_path / name for name in ("rows.csv", "one.csv", "wrong.csv"))
    rows.write_text("0, 1,2\n0,0,0\n3,0,0\n")
    one.write_text("1,2,3\n")
    wrong.write_text("1,2\n1,x\n")
    assert sizes_from_text(str(rows)) == [[0, 1, 2], [0, 0, 0], [3, 0, 0]]
    assert sizes_from_text(str(one)) == sizes_from_text("1,2,3") == [1, 2, 3]
    assert sizes_from_text("0,1;2,0") == [[0, 1], [2, 0]]
    rows.write_text("0 1  2\n0\t0 0\n 3 0 0\n")
    assert sizes_from_text(str(rows)) == [[0, 1, 2], [0, 0, 0], [3, 0, 0]]
    with pytest.raises(InputError, match="line 2"):
        sizes_from_text(str(wrong))
    with pytest.raises(InputError, match=r"missing\.csv"):
        sizes_from_text(str(tmp_path / "missing.csv"))
    file = tmp_path / "result.json"
    solve_line = ["solve", "pipelined", "alltoallv", "path:3", "--sizes", str(rows), "-o", str(file)]
    assert main(solve_line) == 0
    rows.unlink()
    assert main(["check", "--strict", str(file)]) == 0
    with pytest.raises(SystemExit):
        main(solve_line)
    assert "rows.csv: No such file" in capsys.readouterr().err


def test_a_file_of_a_problem() -> None:
    """The parameters of a problem are written and read as they are."""
    problem = build_problem("pipelined", "alltoallv", "cycle:4", {"ranks": "3,0", "sizes": [[0, 4], [5, 0]]})
    assert read_problem(problem_to_json(problem)) == problem
    assert problem.parameters == {"sizes": [[0, 4], [5, 0]], "ranks": [0, 3]}


def test_rules_of_sizes() -> None:
    """A flow leaves what the row says; symmetries do not keep sizes."""
    problem = build_problem("pipelined", "alltoallv", "path:3", {"sizes": [[0, 1, 2], [0, 0, 0], [0, 0, 0]]})
    flow = Flow(0, ((0, 1, Fraction(3)), (1, 2, Fraction(2))))
    whole = PipelinedSchedule(Fraction(3), flows=(flow,))
    assert replay(problem, whole).violation is None
    more = replace(whole, flows=(Flow(0, ((0, 1, Fraction(2)), (1, 2, Fraction(1)))),))
    assert "it should be -3" in (replay(problem, more).violation or "")
    turned = replace(whole, symmetries=((2, 1, 0),))
    assert "symmetries do not keep the sizes" in (replay(problem, turned).violation or "")
    lengths = {"kind": "lengths", "lengths": [[0, 1, 1]], "symmetries": [[2, 1, 0]]}
    with pytest.raises(ClaimError, match="symmetries do not keep the sizes"):
        CLAIMS["lengths"](problem, lengths)
    assert CLAIMS["lengths"](problem, {"kind": "lengths", "lengths": [[0, 1, 1]]}) == 3
