"""What Coq says of pairs of distant nodes: its formula is the package's, and it accepts refutations and no
forged ones. Run by `make theory`.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from schedsolve.export.coq.claim_file import claim_text
from schedsolve.export.coq.distant_pairs import renumbered
from schedsolve.export.coq.terms import network_term, pairs_term
from schedsolve.export.coq.theorem import theorem_text
from schedsolve.export.hints import HintedLemma
from schedsolve.models.matching.claims.distant_pairs import distant_pairs_formula, windows
from schedsolve.network.graph import Network
from schedsolve.network.named.spec import network_from_spec
from tests.export.saved_theorems import by_pairs
from tests.export.theory.coqc import closed, compiled, needs_coq
from tests.export.theory.test_checker import needs_checker, refused, verdict
from tests.export.theory.test_theory import clause_term

pytestmark = needs_coq

IMPORTS = """From Coq Require Import List NArith PArith.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Refutation DistantPairs.
"""
GOSSIPS = [("telephone", "cycle:7"), ("telegraph", "cycle:6")]
"""Which counting does not decide."""
DIRECTED = Network(4, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), directed=True)


@pytest.mark.parametrize("two_way", [False, True])
@pytest.mark.parametrize(
    "network",
    [network_from_spec("path:4"), network_from_spec("cycle:5"), network_from_spec("grid:2x3"), DIRECTED],
    ids=["path", "cycle", "grid", "directed"],
)
def test_the_formula_is_the_packages(network: Network, two_way: bool, tmp_path: Path) -> None:
    """Clause for clause, for some pairs and for all; what is tested before a proof is read holds."""
    if two_way and network.directed:
        network = Network(network.node_count, network.edges)
    n, links = network.node_count, network.edges if two_way else network.arcs
    every = [(i, j) for i in range(n) for j in range(n) if i != j]
    goals = []
    for pairs in (Random(2).sample(every, 4), [*every, every[0]]):
        rounds = max(network.distances_from([i])[j] or 0 for i, j in pairs) + 1
        cnf = distant_pairs_formula(network, two_way, rounds, windows(network, rounds, pairs), pairs).cnf
        lemmas = [HintedLemma(k, tuple(clause), ()) for k, clause in enumerate(cnf.clauses)]
        clauses = [x.clause for x in renumbered(lemmas, network, len(links), rounds, pairs)]
        mode = "telephone" if two_way else "telegraph"
        formula = f"(pairs_formula {mode} G {rounds} {pairs_term(pairs)})"
        goals += [
            f"pairs_fit G {rounds} {pairs_term(pairs)} = true",
            f"numbers_fit {mode} G {n} {rounds} {rounds} {formula} [] = true",
            f"full_formula {mode} G {n} {rounds} {rounds} {formula} []\n"
            f"  = [{'; '.join(map(clause_term, clauses))}]",
        ]
    text = f"{IMPORTS}\nDefinition G := {network_term(network)}.\n"
    text += "".join(f"Goal {goal}.\nProof. vm_compute. reflexivity. Qed.\n" for goal in goals)
    seen = compiled(text, tmp_path)
    assert seen.accepted, seen.said[-400:]


@pytest.mark.parametrize(("model", "network"), GOSSIPS)
def test_refutations_by_pairs(model: str, network: str, tmp_path: Path) -> None:
    """One is accepted and closed; with fewer pairs, a lemma less, other rounds or other edges it is not."""
    text = theorem_text(by_pairs(model, network))
    [(name, rounds)] = re.findall(r"distant_pairs_refuted \w+ (\w+) (\d+) distant", text)
    assert closed(text, tmp_path)
    fewer = re.sub(r"(distant : list \(node \* node\) :=\s*\[).*?\]", r"\1(0, 2)]", text, flags=re.DOTALL)
    lemma = re.sub(r'(proof_0 : text := ").{8}', r"\1", text)
    edge = text.replace("(0, 1); ", "(0, 1); (0, 2); ", 1)
    for forged in (fewer, lemma, edge):
        assert forged != text
        assert not compiled(forged, tmp_path).accepted
    more = int(rounds) + 1
    forged = text.replace(f"{name} {rounds} distant", f"{name} {more} distant")
    forged = forged.replace(f"~ gossip {model} {name} {rounds}", f"~ gossip {model} {name} {more}")
    assert not compiled(forged, tmp_path).accepted


@needs_checker
@pytest.mark.parametrize(("model", "network"), GOSSIPS)
def test_the_checker_takes_pairs(model: str, network: str, tmp_path: Path) -> None:
    """With all of them, on these links; neither as a plain refutation."""
    text = claim_text(by_pairs(model, network))
    status, said = verdict(text, tmp_path)
    assert status == 0, said
    assert said.splitlines()[1] == f"task: {model} gossip"
    [task] = re.findall("task gossip by pairs .*", text)
    for other in ("task gossip", task.rsplit(" ", 2)[0], task.rsplit(" ", 1)[0], f"{task} 0 0"):
        assert refused(text.replace(task, other), tmp_path), other
    assert refused(text.replace("links 0 1 ", "links 0 1 0 2 "), tmp_path)
