"""What Coq says of inner rounds: its formula is the package's, and it accepts refutations and no forged ones.
Run by `make theory`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.matching.claims.inner_rounds import inner_rounds_formula
from schedsolve.export.coq import refutations as coq_refutations
from schedsolve.export.coq.refutations import Choice
from schedsolve.export.coq.terms import network_term, table
from schedsolve.export.coq.theorem import theorem_text
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.network.named.spec import network_from_spec
from tests.export.saved_theorems import result
from tests.export.theory.coqc import closed, compiled, needs_coq
from tests.export.theory.test_theory import clause_term

pytestmark = needs_coq

IMPORTS = """From Coq Require Import List NArith PArith.
Import ListNotations.
From Schedsolve Require Import Definitions Checker InnerRefutation.
"""
DIRECTED = Network(4, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), directed=True)
TURNING = Network(3, ((0, 1), (1, 2), (2, 0)), directed=True)


@pytest.mark.parametrize(
    ("network", "rounds"),
    [
        (DIRECTED, 5),
        (TURNING, 4),
        (network_from_spec("path:1"), 4),
        (network_from_spec("path:4"), 5),
        (network_from_spec("cycle:4"), 4),
        (network_from_spec("cycle:5"), 6),
    ],
    ids=["directed", "turning", "one node", "path", "no round within", "two rounds within"],
)
def test_the_formula_is_the_packages(network: Network, rounds: int, tmp_path: Path) -> None:
    """Clause for clause, with images; and what is tested of it before a proof is read holds."""
    images = [list(image) for image in automorphisms(network, limit=3)]
    cnf = inner_rounds_formula(network, rounds, images).cnf
    clauses = "; ".join(map(clause_term, cnf.clauses))
    text = f"""{IMPORTS}
Definition G := {network_term(network)}.
Definition images : list (list node) := {table(images) if images else "[]"}.
Definition written : list clause := [{clauses}].
Goal inner_formula G {rounds - 4} images = written.
Proof. vm_compute. reflexivity. Qed.
Goal inner_fits G {rounds - 4} images = true.
Proof. vm_compute. reflexivity. Qed.
Goal inner_fits G {rounds - 4} [repeat 0 {network.node_count}] = {str(network.node_count == 1).lower()}.
Proof. vm_compute. reflexivity. Qed.
"""
    seen = compiled(text, tmp_path)
    assert seen.accepted, seen.said[-400:]


def test_refutations_by_inner_rounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One is accepted and closed; with a lemma less, of a round more or less, or on other edges it is not."""
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", (Choice.INNER_ROUNDS,))
    text = theorem_text(result("telegraph gossip cycle:6"))
    assert "inner_rounds_refuted cycle_6 5" in text
    assert closed(text, tmp_path)
    edge = text.replace("(0, 1); ", "(0, 1); (0, 3); ", 1)
    lemma = re.sub(r'(proof_0 : text := ").{8}', r"\1", text)
    image = re.sub(r"\[\[0; 5;", "[[5; 0;", text, count=1)
    for forged in (edge, lemma, image):
        assert forged != text
        assert not compiled(forged, tmp_path).accepted
    for other in (3, 4, 6):
        forged = text.replace("inner_rounds_refuted cycle_6 5", f"inner_rounds_refuted cycle_6 {other}")
        forged = forged.replace("~ gossip telegraph cycle_6 5", f"~ gossip telegraph cycle_6 {other}")
        seen = compiled(forged, tmp_path)
        assert not seen.accepted
        assert "inner_rounds_refuted" not in seen.said, "it is the computation that fails"
