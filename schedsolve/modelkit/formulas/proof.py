"""Refutation proofs as data: lemmas and deletions in the DRUP text format, packed for JSON files.

A line of a proof is a clause, its literals separated by spaces and ended by 0: a lemma that unit
propagation derives from the formula and the lemmas before it. A line that starts with "d" says that a
clause is no longer needed. A packed proof comes with its hash.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.budget import limit_of, spend

_TOKEN = re.compile(rb"[\x80-\xff]*[\x01-\x7f]")


class _Literals(dict[bytes, str]):
    """The literals of a binary proof as text, each decoded once."""

    def __missing__(self, token: bytes) -> str:
        code = sum((byte & 0x7F) << (7 * place) for place, byte in enumerate(token))
        self[token] = text = str(-(code >> 1) if code & 1 else code >> 1)
        return text


def text_of_binary_proof(data: bytes) -> list[str]:
    r"""Return the lines of a proof in the binary DRUP format.

    A clause is the letter a (or d, if it is deleted), its literals and a zero byte; the literal x is the
    number 2x, and -x is 2x + 1, in groups of seven bits, the lowest first, all but the last with the top bit
    set.

    ```pycon
    >>> text_of_binary_proof(b"a\x02\x05\x00d\x82\x01\x00a\x00")
    ['1 -2 0', 'd 65 0', '0']

    ```
    """
    text = _Literals()
    *clauses, rest = data.split(b"\0")
    lines = []
    for clause in clauses:
        literals = " ".join(map(text.__getitem__, _TOKEN.findall(clause, 1)))
        lines.append(f"{'d ' if clause[:1] == b'd' else ''}{literals}{' ' if literals else ''}0")
    assert not rest, "the proof is cut off"
    return lines


def pack_proof(lines: Iterable[str]) -> dict[str, Any]:
    """Return the lines of a proof as JSON data.

    "proof" is the compressed text in base 64, "sha256" the hash of the text. Level 6 of zlib, the
    usual one, takes five times as long as 4 and saves 8 %.
    """
    text = "\n".join(lines).encode()
    return {
        "proof": base64.b64encode(zlib.compress(text, 4)).decode(),
        "sha256": _sha256(text),
    }


def unpack_proof(data: Mapping[str, Any]) -> list[str]:
    """Return the lines of a packed proof.

    Raises
    ------
    ClaimError, OverBudgetError
        As `proof_lines` does.
    """
    return list(proof_lines(data))


def proof_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Return an iterator over the lines of a packed proof, unpacked and compared with its hash.

    Raises
    ------
    ClaimError
        If the proof is damaged, does not have the hash recorded with it, or has characters that do not
        occur in a proof.
    OverBudgetError
        If it is larger than a file's proof may be.
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
    if _sha256(text) != recorded:
        raise ClaimError("the proof does not have the hash recorded with it")
    if text.translate(None, b"-0123456789d \n"):
        raise ClaimError("a line of the proof is not a clause: it has characters that no literal has")
    return text


def _sha256(text: bytes) -> str:
    import hashlib

    return hashlib.sha256(text).hexdigest()
