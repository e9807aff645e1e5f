"""Proofs with hints are replayed line by line, and refused where a line does not follow."""

from __future__ import annotations

import pytest

from schedsolve.kernel.refutation import read_formula, replay_proof
from schedsolve.kernel.wrong import WrongError

CLAUSES = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
PROOF = "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"


def test_a_proof_goes_through() -> None:
    """With a deletion of what is used no more, and literals given twice."""
    replay_proof(CLAUSES, PROOF)
    replay_proof([[1, 1], [-1]], "3 0 1 2 0\n")


@pytest.mark.parametrize("proof", [
    "",
    "5 1 0 1 2 0\n",
    "6 0 5 3 4 0\n",
    "5 1 0 1 0\n6 0 5 3 4 0\n",
    "5 1 0 2 0\n6 0 5 3 4 0\n",
    "5 1 0 1 2 3 0\n6 0 5 3 4 0\n",
    "4 1 0 1 2 0\n6 0 4 3 0\n",
    "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n",
    "5 1 0 1 2 0\n5 d 9 0\n6 0 5 3 4 0\n",
    "5 1 0 1 2\n6 0 5 3 4 0\n",
])  # fmt: skip
def test_a_proof_that_does_not(proof: str) -> None:
    """Nothing proven, a lemma or hint missing, one too many, a number used again, a clause deleted."""
    with pytest.raises(WrongError, match=r"proof\.lrat"):
        replay_proof(CLAUSES, proof)


@pytest.mark.parametrize("text", ["p cnf 2 2\n1 2 0\n", "p cnf 2 1\n1 2\n", "p dnf 2 1\n1 0\n"])
def test_a_formula_that_is_damaged(text: str) -> None:
    """Of another size than it says, a clause without its end, no formula."""
    with pytest.raises(WrongError):
        read_formula(text)
