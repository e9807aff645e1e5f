"""Packed proofs: what comes out is what went in, within the budget; anything else is refused."""

from __future__ import annotations

import base64
import hashlib
import zlib
from typing import Any

import pytest

from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.budget import Budget, OverBudgetError, within

LINES = ["1 -2 0", "d 3 0", "0"]
PACKED = pack_proof(LINES)


def packed(text: bytes, **changed: Any) -> dict[str, Any]:
    """A text with its hash, and something else instead of one of them."""
    said = {
        "proof": base64.b64encode(zlib.compress(text)).decode(),
        "sha256": hashlib.sha256(text).hexdigest(),
    }
    return {**said, **changed}


@pytest.mark.parametrize("lines", [LINES, ["0"], [f"{i} 0" for i in range(1, 5000)]])
def test_nothing_is_lost(lines: list[str]) -> None:
    """Neither of a short proof nor of a long one."""
    assert unpack_proof(pack_proof(lines)) == lines


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "comes with a proof and its sha256"),
        ({"proof": PACKED["proof"]}, "comes with a proof and its sha256"),
        ({"sha256": PACKED["sha256"]}, "comes with a proof and its sha256"),
        ({**PACKED, "proof": None}, "comes with a proof and its sha256"),
        ({**PACKED, "sha256": 7}, "comes with a proof and its sha256"),
        ({**PACKED, "proof": "!" + PACKED["proof"]}, "cannot be unpacked"),
        ({**PACKED, "proof": base64.b64encode(b"no zlib").decode()}, "cannot be unpacked"),
        ({**PACKED, "proof": base64.b64encode(zlib.compress(b"0")[:-1]).decode()}, "cut off"),
        ({**PACKED, "sha256": "0" * 64}, "the hash recorded"),
        (packed(b"1 0\n2 x 0\n"), "characters that no literal has"),
        (packed("1 \u0660".encode()), "characters that no literal has"),
    ],
)
def test_what_is_refused(data: dict[str, Any], words: str) -> None:
    """Damaged, cut off, without a hash or with another one, or no clauses."""
    with pytest.raises(ClaimError, match=words):
        unpack_proof(data)


def test_the_budget() -> None:
    """As many bytes and lines as it allows, and no more; before the rest is unpacked."""
    size = len("\n".join(LINES))
    for budget in (Budget(bytes=size), Budget(lemmas=len(LINES))):
        with within(budget):
            assert unpack_proof(PACKED) == LINES
    for budget in (Budget(bytes=size - 1), Budget(lemmas=len(LINES) - 1)):
        with within(budget), pytest.raises(OverBudgetError):
            unpack_proof(PACKED)
    bomb = packed(b" " * 10**6)
    with within(Budget(bytes=1000)), pytest.raises(OverBudgetError, match="1001"):
        unpack_proof(bomb)
