"""The bounds on f_T(r) that theory/LeastCosts.v proves are those of the package. Run by `make theory`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.models.linear_cost.claims.table import table
from tests.export.theory.coqc import closed, compiled, needs_coq

pytestmark = needs_coq

IMPORTS = """From Coq Require Import List QArith Lia.
From Schedsolve Require Import LinearCost LeastCosts.
"""
# Ports, T, r, the lemma with its numbers, and how the package names the rule.
CASES = (
    (1, 4, 3, "lemma_A_one_port 4 sizes s ltac:(lia)", "Lemma A"),
    (1, 6, 5, "lemma_A_one_port 6 sizes s ltac:(lia)", "Lemma A"),
    (2, 4, 3, "lemma_A 2 4 sizes s ltac:(lia) ltac:(lia)", "Lemma A"),
    (3, 3, 2, "lemma_A 3 3 sizes s ltac:(lia) ltac:(lia)", "Lemma A"),
    (1, 5, 3, "lemma_B 1 5 1 3 sizes s ltac:(lia) ltac:(lia) ltac:(lia)", "Proposition 22"),
    (4, 4, 2, "lemma_B 4 4 1 2 sizes s ltac:(lia) ltac:(lia) ltac:(lia)", "Proposition 22"),
    (1, 3, 4, "least_with_one_port 3 4 sizes s ltac:(lia) ltac:(lia)", "Lemmas 26 and 27"),
    (2, 2, 4, "least_in_class 2 2 0 2 sizes s ltac:(lia) ltac:(lia) ltac:(lia)", "Lemmas 26 and 27"),
    (1, 5, 13, "least_in_class 1 5 3 2 sizes s ltac:(lia) ltac:(lia) ltac:(lia)", "Lemmas 26 and 27"),
    (3, 4, 7, "lemma_C 3 4 sizes s ltac:(lia) ltac:(lia)", "Lemma C"),
    (4, 3, 5, "lemma_C 4 3 sizes s ltac:(lia) ltac:(lia)", "Lemma C"),
    (1, 6, 9, "lemma_B 1 6 2 9 sizes s ltac:(lia) ltac:(lia) ltac:(lia)", "Lemmas 26 and 27"),
)


def bound_text(ports: int, dimension: int, extra_rounds: int, value: Fraction, lemma: str) -> str:
    """A theorem: every broadcast costs at least this value."""
    nodes, rounds = f"(({ports} + 1) ^ {dimension})%nat", f"({dimension} + {extra_rounds})%nat"
    return (
        f"{IMPORTS}Theorem bound sizes s : broadcasts {ports} {nodes} {rounds} sizes s ->\n"
        f"  ({value.numerator} # {value.denominator} <= cost sizes s)%Q.\n"
        f"Proof. intros B. apply Qle_trans with (2 := {lemma} B).\n"
        "apply Qle_bool_iff. vm_compute. reflexivity. Qed.\nPrint Assumptions bound.\n"
    )


@pytest.mark.parametrize(("ports", "dimension", "extra_rounds", "lemma", "rule"), CASES)
def test_bounds_are_the_packages(
    ports: int, dimension: int, extra_rounds: int, lemma: str, rule: str, tmp_path: Path
) -> None:
    """What the package derives is what the lemma says; a greater value, or one round more, is refused."""
    found = table(ports, (ports + 1) ** dimension).all_f(extra_rounds)
    value = next(derived.value for derived in found if rule in derived.rule)
    assert closed(bound_text(ports, dimension, extra_rounds, value, lemma), tmp_path)
    for rounds, wanted in ((extra_rounds, value + Fraction(1, 1000)), (extra_rounds + 1, value)):
        assert not compiled(bound_text(ports, dimension, rounds, wanted, lemma), tmp_path).accepted
