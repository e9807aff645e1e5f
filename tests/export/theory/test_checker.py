"""The checker that is extracted from theory/Verdict.v: what it accepts and refuses. Run by `make
theory-checker`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from schedsolve.export.coq import refutations as coq_refutations
from schedsolve.export.coq.claim_file import claim_text
from schedsolve.export.coq.refutations import Choice
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.export.saved_theorems import result

CHECKER = Path(__file__).parents[3] / "build" / "theory" / "check"
needs_checker = pytest.mark.skipif(not CHECKER.exists(), reason="make theory-checker builds it")
pytestmark = needs_checker

LINES = (
    "telephone gossip petersen",
    "telephone gossip path:1",
    "telegraph gossip cycle:6",
    "telephone broadcast star:6 --source 0",
    "telegraph broadcast star:5 --source 0,3",
    "telegraph accumulation star:5 --root 1",
    "telephone multicast path:6 --source 1,2 --targets 0,5",
)


def verdict(text: str, folder: Path) -> tuple[int, str]:
    """The exit status of the checker, and what it prints."""
    file = folder / "given.claim"
    file.write_text(text)
    run = subprocess.run([CHECKER, file], capture_output=True, text=True, timeout=300, check=False)
    return run.returncode, run.stdout + run.stderr


def refused(text: str, folder: Path) -> bool:
    """Whether the checker refuses a text in one line, and says nothing of an optimum."""
    status, said = verdict(text, folder)
    return status == 1 and said.startswith("refused: ") and said.count("\n") == 1


@pytest.mark.parametrize("line", LINES)
def test_results_are_accepted(line: str, tmp_path: Path) -> None:
    """Each task, and the statement names what is optimal."""
    data = result(line)
    status, said = verdict(claim_text(data), tmp_path)
    assert status == 0, said
    assert said.startswith(f"optimal: {data['value']} rounds\ntask: {' '.join(line.split()[:2])}")


def test_directed_networks_kept_back(tmp_path: Path) -> None:
    """A directed network; with its links undirected the same rounds are too many."""
    network = Network(5, ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)), directed=True)
    data = result_to_json(solve(build_problem("telegraph", "gossip", network, {})))
    text = claim_text(data)
    assert verdict(text, tmp_path)[0] == 0
    assert refused(text.replace("network directed", "network undirected"), tmp_path)


def parts_of(text: str) -> tuple[str, list[str]]:
    """The claim, and the lemmas of its proof with what is forgotten after each."""
    head, proof = text.split("\nproof\n")
    lemmas = re.findall(r"(?:\d+ )*?0 (?:\d+ )+?0 (?:1 (?:\d+ )+?0 )?", " ".join(proof.split()) + " ")
    assert "".join(lemmas).split() == proof.split()
    return head, lemmas


@pytest.mark.parametrize("line", ["telegraph gossip cycle:6", "telephone gossip hypercube:4"])
def test_a_proof_falls_with_any_lemma(line: str, tmp_path: Path) -> None:
    """With its first, a middle or its last one left out, with a literal or a hint changed, and with none."""
    head, lemmas = parts_of(claim_text(result(line)))
    assert len(lemmas) > 20

    def proven_by(parts: list[str]) -> str:
        return f"{head}\nproof\n{''.join(parts)}\n"

    assert verdict(proven_by(lemmas), tmp_path)[0] == 0
    for at in (0, len(lemmas) // 2, len(lemmas) - 1):
        assert refused(proven_by([*lemmas[:at], *lemmas[at + 1 :]]), tmp_path), at
    middle = len(lemmas) // 2
    for pattern, other in ((r"^\d+", "2"), (r"^(.*? 0) \d+", r"\1 1")):
        changed = re.sub(pattern, other, lemmas[middle])
        assert changed != lemmas[middle]
        assert refused(proven_by([*lemmas[:middle], changed, *lemmas[middle + 1 :]]), tmp_path)
    assert refused(f"{head}\nproof\n", tmp_path)
    assert refused(f"{head}\nproof\n0 0\n", tmp_path)


@pytest.mark.parametrize("choice", Choice)
def test_each_choice_of_gossips(choice: Choice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A refutation with each is accepted as what it is, but not as one with another, nor on other edges."""
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", (choice,))
    text = claim_text(result("telegraph gossip cycle:6"))
    status, said = verdict(text, tmp_path)
    assert (status, said.splitlines()[:2]) == (0, ["optimal: 6 rounds", "task: telegraph gossip"])
    for other in set(Choice) - {choice}:
        assert refused(text.replace(f"task {choice}\n", f"task {other}\n"), tmp_path), other
    assert refused(text.replace("links 0 1 ", "links 0 1 0 3 "), tmp_path)
    assert refused(text.replace("mode telegraph", "mode telephone"), tmp_path)


def test_a_forged_claim_is_refused(tmp_path: Path) -> None:
    """With a link or a call more or less, a permutation that is no automorphism, or another task."""
    text = claim_text(result("telephone gossip star:5"))
    for old, new in (
        ("links 0 1 ", "links "),
        ("links 0 1 ", "links 1 2 0 1 "),
        ("mode telephone", "mode telegraph"),
        ("task gossip", "task broadcast 0"),
        ("schedule 7\n0 ", "schedule 7\n1 0 0 "),
    ):
        assert old in text
        assert refused(text.replace(old, new), tmp_path), new
    forged = re.sub(r"(symmetries \d+\n)0 ", r"\g<1>1 ", text)
    assert forged != text
    assert refused(forged, tmp_path)
    lines = text.splitlines()
    start = lines.index("schedule 7")
    fewer = [*lines[:start], "schedule 6", *lines[start + 2 :]]
    assert refused("\n".join(fewer), tmp_path)


@pytest.mark.parametrize(
    "text", ["", "schedsolve-claim/1\n", "schedsolve-claim/1\nmode telephone\nnetwork -1\n"]
)
def test_files_of_other_kinds_are_refused(text: str, tmp_path: Path) -> None:
    """In one line."""
    assert refused(text, tmp_path)


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """Negative ones, too large ones, and words."""
    head, _ = parts_of(claim_text(result("telegraph gossip cycle:6")))
    for word in ("-1", "9" * 40, "one"):
        assert refused(f"{head}\nproof\n{word} 0\n", tmp_path)
