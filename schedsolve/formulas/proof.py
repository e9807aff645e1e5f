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
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.limits.budget import limit_of, spend


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
    """The lines of a packed proof; raises ClaimError as `proof_lines` does."""
    return list(proof_lines(data))


def proof_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a packed proof, one after the other, once it is unpacked and compared with its hash.

    Raises ClaimError when it is damaged, does not have the hash recorded with it, or has characters that such
    lines do not have, OverBudgetError when it is larger than a file's proof may be.
    """
    text = _unpacked(data)
    spend("lemmas", text.count(b"\n") + 1)
    return (line.decode("ascii", "replace").rstrip("\n") for line in BytesIO(text))


def _unpacked(data: Mapping[str, Any]) -> bytes:
    packed, recorded = data.get("proof"), data.get("sha256")
    if not isinstance(packed, str) or not isinstance(recorded, str):
        raise ClaimError("a refutation comes with a proof and its sha256")
    most = limit_of("bytes")
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.b64decode(packed, validate=True), 0 if most is None else most + 1)
    except (ValueError, zlib.error):
        raise ClaimError("the proof is damaged, it cannot be unpacked") from None
    spend("bytes", len(text))
    if not unpacker.eof:
        raise ClaimError("the proof is damaged, it is cut off")
    if hashlib.sha256(text).hexdigest() != recorded:
        raise ClaimError("the proof does not have the hash recorded with it")
    if text.translate(None, b"-0123456789d \n"):
        raise ClaimError("a line of the proof is no clause: it has characters that no literal has")
    return text
