"""A result holds the links of its network: a check is about those, and compares them with the name apart."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.certify.report import TRUSTED_FILES
from schedsolve.modelkit.problem import problem_id
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import build_problem, read_problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.command_line import Cli
from tests.needs import needs

Data = dict[str, Any]
FAMILIES = {
    f"schedsolve/network/{name}.py"
    for name in (
        "named/families", "named/random_graphs", "named/machines", "named/spec", "files/any_format",
        "files/line_formats", "files/graph6", "files/topology_file", "files/node_link",
        "files/nvidia_topology", "files/nccl_topology", "files/nccl_bandwidths", "files/link_matrix",
        "files/xml_tree", "classes/sets", "positions",
    )
}  # fmt: skip
"""Whatever makes a network from a name, or reads its file."""


@pytest.fixture(scope="module")
def star() -> Data:
    """A broadcast in a star, proven by a theorem."""
    result = solve(build_problem("telephone", "broadcast", Network.from_spec("star:4")))
    data: Data = json.loads(json.dumps(result_to_json(result)))
    return data


@needs("experiments")
def test_no_family_is_trusted(star: Data) -> None:
    """The list of what a check runs, which another test compares with what does run, has no file of those
    that make networks; they stand apart, for the name. A design is about all networks of a class, which
    it makes, and its file names them by graph6 strings.
    """
    from schedsolve.experiments.designs.levels import DESIGN_FORMAT

    root = Path(__file__).parents[2]
    assert all((root / file).exists() for file in FAMILIES)
    listed = json.loads(TRUSTED_FILES.read_text(encoding="utf-8"))
    apart = listed.pop("networks")
    for title, checks in listed.items():
        ran = {*checks["every"], *(file for files in checks["kinds"].values() for file in files)}
        assert title == DESIGN_FORMAT or not ran & FAMILIES, title
    assert "schedsolve/network/named/families.py" in apart["name"]
    report = check_data(star)
    assert report.complete
    assert not FAMILIES.intersection(report.files)
    assert "schedsolve/network/named/families.py" in report.files_for_the_name


def test_without_links_the_family_is_trusted(star: Data) -> None:
    """An older file names the network only: it checks as ever, and rests on the family."""
    older = copy.deepcopy(star)
    del older["problem"]["links"]
    report = check_data(older)
    assert report.complete
    assert "schedsolve/network/named/families.py" in report.files
    assert not report.files_for_the_name
    assert not any("network:" in line for line in report.lines)


def test_other_links_fail(star: Data) -> None:
    """A link more changes the problem, whose id is another one; under its own id only the name fails."""
    data = copy.deepcopy(star)
    data["problem"]["links"]["edges"].append([1, 2])
    failed = [line for line in check_data(data).lines if line.startswith("FAILED")]
    assert any("certificate: it was made for another problem" in line for line in failed)
    data["certificate"]["problem_id"] = problem_id(read_problem(data["problem"]))
    failed = [line for line in check_data(data).lines if line.startswith("FAILED")]
    assert "FAILED   network: the links of the file are other ones than those of star:4" in failed
    assert not any("another problem" in line for line in failed)


def test_the_links_are_what_is_checked(star: Data) -> None:
    """Under the name of an easier network the schedule of the links is replayed; only the name fails."""
    data = copy.deepcopy(star)
    for name, reason in (
        ("complete:4", "the links of the file are other ones than those of complete:4"),
        ("star:0", "there is no star:0"),
    ):
        data["problem"]["network"] = name
        failed = [line for line in check_data(data).lines if line.startswith("FAILED")]
        assert failed == [f"FAILED   network: {reason}"]


@pytest.mark.parametrize("name", ["my own", "mine.edges", "-"])
def test_a_name_that_nobody_knows(cli: Cli, star: Data, name: str) -> None:
    """It is not verified, no file is opened for it, and all else is."""
    data = copy.deepcopy(star)
    data["problem"]["network"] = name
    Path("named.json").write_text(json.dumps(data))
    seen = cli("check named.json")
    assert (seen.status, seen.err) == (0, "")
    assert f"not sure that the network is {name}: no family of networks has that name" in seen.out
    assert cli("check named.json --strict").status == 1


def test_links_stand_beside_a_name(star: Data) -> None:
    """A network that stands in the file already has no other links, and nothing unknown stands in them."""
    data = copy.deepcopy(star)
    data["problem"]["links"]["colour"] = "red"
    assert "what 'colour' in problem.links says" in check_data(data).unverified
    data["problem"]["network"] = {"nodes": [{"id": 0}], "edges": []}
    with pytest.raises(InputError, match="given by its name"):
        check_data(data)


def test_large_networks_have_their_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit there are no links; the id of the problem is the same."""
    result = solve(build_problem("telephone", "broadcast", Network.from_spec("star:5")))
    small = result_to_json(result)
    monkeypatch.setattr("schedsolve.modelkit.problem.MOST_LINKS", 3)
    large = result_to_json(result)
    assert ("links" in small["problem"], "links" in large["problem"]) == (True, False)
    assert problem_id(read_problem(small["problem"])) == problem_id(read_problem(large["problem"]))
    assert check_data(json.loads(json.dumps(large))).complete
