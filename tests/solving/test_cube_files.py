"""The files of refutations shared among workers: they check, and what is changed in them shows."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.certify.propagation import replay_refutation
from schedsolve.modelkit.formulas.cubes import joined_proof, proofs_by_cube
from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.command_line import Cli, refused
from tests.needs import needs
from tests.reference.lrat_checker import refutes
from tests.solving.jobs_here import HARD, Here, here, posed

__all__ = ["here"]

Data = dict[str, Any]


def test_a_file_with_the_proofs_of_cubes(here: type[Here]) -> None:
    """The cubes have theirs, each checked; export joins them."""
    data = saved(HARD)
    assert here.done > 5
    assert not failures(data)
    assert any(
        f"lemmas in {len(refutation_in(data)['cubes'])} cubes" in line for line in check_data(data).lines
    )
    joined = "\n".join(joined_proof(proofs_by_cube(refutation_in(data))))
    bound, cnf = refuted(posed(HARD), refutation_in(data))
    assert bound == 5
    replay_refutation(cnf.clauses, cnf.variable_count, joined.splitlines())

    hard = max(
        range(len(refutation_in(data)["cubes"])), key=lambda k: len(refutation_in(data)["cubes"][k]["proof"])
    )
    changes: list[tuple[Callable[[Data], Any], str]] = [
        (lambda found: found["cubes"].pop(), "not all cases"),
        (lambda found: found["cubes"].append(found["cubes"][0]), "two proofs"),
        (
            lambda found: found["cubes"][0].update(found["cubes"][1] | {"cube": [7]}),
            "not all cases|two proofs",
        ),
        (lambda found: found["cubes"][hard].update(pack_proof([])), "without a contradiction"),
        (
            lambda found: found.update(cubes=[{"cube": cube, **pack_proof([])} for cube in chain_of_cubes()]),
            "without a contradiction",
        ),
        (lambda found: found["cubes"][0].update(cube=[10**6]), "does not have"),
        (lambda found: found.update(lemmas=[1]), "does not follow"),
        (lambda found: found.update(lemmas="1"), "lists of literals"),
        (lambda found: found.update(cubes=[1]), "the proofs of cubes are a list"),
        (lambda found: found.update(cubes=[]), "not all cases"),
    ]
    for change, says in changes:
        forged = copy.deepcopy(data)
        change(refutation_in(forged))
        assert any(re.search(says, line) for line in failures(forged)), says


def chain_of_cubes() -> list[list[int]]:
    """Cubes of which each but the last two branches off the one before, over two thousand literals deep."""
    deep = 2000
    return [*([*([1] * k), -1] for k in range(deep)), [1] * deep]


@pytest.mark.usefixtures("here")
def test_a_check_shared_among_processes(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """It says what a check by one process says: of a file that holds, and of one with a damaged proof."""
    data = saved(HARD)
    damaged = copy.deepcopy(data)
    refutation_in(damaged)["cubes"][-1].update(pack_proof(["1 0", "0"]))
    for file, status, says in ((data, 0, "everything that the file claims"), (damaged, 1, "does not follow")):
        Path("file.json").write_text(json.dumps(file))
        alone = cli("check file.json --strict --trust-size")
        assert (alone.status, says in alone.out) == (status, True)
        with monkeypatch.context() as only_shared:
            only_shared.setattr("schedsolve.certify.cubes._here", None)
            assert cli("check file.json --strict --trust-size --workers 2") == alone


def saved(line: str) -> Data:
    """The file of a solve whose refutations are shared."""
    data: Data = json.loads(
        json.dumps(result_to_json(solve(posed(line), Options(certify="refutation", dask="local"))))
    )
    return data


def refutation_in(data: Data) -> Data:
    """The refutation in a file."""
    found: Data = next(
        b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "refutation"
    )
    return found


def failures(data: Data) -> list[str]:
    """What the checker says of what does not hold."""
    return [line for line in check_data(data).lines if line.startswith("FAILED")]


def test_the_joined_proof(here: type[Here]) -> None:
    """It is replayed, but not with a cube left out; nor is the file with an automorphism changed."""
    data = saved(HARD)
    assert here.done > 5
    assert data["status"] == "optimal"
    assert all(line.startswith("ok") for line in check_data(data).lines)
    evidence = refutation_in(data)
    proofs = proofs_by_cube(evidence)
    cube = max(here.proofs, key=lambda cube: len(here.proofs[cube]))
    denial = " ".join(str(-literal) for literal in cube) + " 0"
    lines = list(joined_proof(proofs))
    kept = [line for line in lines if not line.endswith(f" {denial}")]
    assert denial in kept
    assert len(kept) < len(lines) - 10
    _, cnf = refuted(posed(HARD), evidence)
    replay_refutation(cnf.clauses, cnf.variable_count, lines)
    with pytest.raises(ClaimError, match="does not follow"):
        replay_refutation(cnf.clauses, cnf.variable_count, kept)
    for change in ([1, 2, 3, 4, 5, 5], [1, 2, 3, 4, 5, 0, 6]):
        changed = copy.deepcopy(data)
        refutation_in(changed)["symmetries"][0] = change
        assert failures(changed)


@needs("export")
def test_the_options(cli: Cli, here: type[Here]) -> None:
    """--dask and --store: what is kept is gone on from; the file checks, and is exported for checkers that
    do not search; nobody at an address is one line.
    """
    command = f"solve {HARD} --dask local --store r.db --quiet"
    assert cli(f"{command} --output first.json").status == 0
    assert here.done > 5
    total = here.done
    again = cli(f"{command} --output second.json")
    said = json.loads(Path("second.json").read_text())["lower_bound_by"]
    assert ("from the store, not recomputed" in again.out) is (said == "store")
    assert here.done > total
    assert cli("check second.json --strict").status == 0
    assert cli("export second.json -o proofs").status == 0
    folder = Path("proofs")
    assert refutes((folder / "formula.cnf").read_text(), (folder / "proof.lrat").read_text())
    refused(cli(f"solve {HARD} --dask nobody"))
