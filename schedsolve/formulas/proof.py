"""Refutation proofs as data: lemmas and deletions in the DRUP text format, packed for a JSON file with their
hash.

A line of a proof is a clause, its literals separated by spaces and ended by 0: a lemma that unit propagation
derives from the formula and the lemmas before it. A line that starts with "d" says that a clause is not
needed any more.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from schedsolve.errors import ClaimError

LARGEST_TEXT = 500_000_000
"""Bytes of proof text that a checker is willing to unpack."""


def pack_proof(lines: Iterable[str]) -> dict[str, Any]:
    """A proof's lines as JSON data: "proof", the compressed text in base 64, and "sha256", the hash of the
    text.
    """
    text = "\n".join(lines).encode()
    return {
        "proof": base64.b64encode(zlib.compress(text, 6)).decode(),
        "sha256": hashlib.sha256(text).hexdigest(),
    }


def unpack_proof(data: Mapping[str, Any]) -> list[str]:
    """The lines of a packed proof. Raises ClaimError when it is damaged or does not have the hash recorded
    with it.
    """
    packed, recorded = data.get("proof"), data.get("sha256")
    if not isinstance(packed, str) or not isinstance(recorded, str):
        raise ClaimError("a refutation comes with a proof and its sha256")
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.b64decode(packed, validate=True), LARGEST_TEXT)
    except (ValueError, zlib.error):
        raise ClaimError("the proof is damaged, it cannot be unpacked") from None
    if not unpacker.eof:
        raise ClaimError("the proof is damaged, it is cut off")
    if hashlib.sha256(text).hexdigest() != recorded:
        raise ClaimError("the proof does not have the hash recorded with it")
    return text.decode("ascii", "replace").splitlines()
