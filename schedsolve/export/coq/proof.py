"""Refutations as text that theory/Checker.v reads; short, as Coq takes its time to read a term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from schedsolve.export.hints import HintedLemma

LONGEST_TEXT = 3200
"""Characters of one text; a proof assistant reads long ones by recursion."""
_FIRST = ord("0")


def proof_texts(proof: Iterable[int]) -> list[str]:
    """Return the texts that stand for a refutation, in the order in which they are read.

    No number runs from one text into the next.

    Parameters
    ----------
    proof
        The numbers of a refutation.
    """
    texts, current, length = [], list[str](), 0
    for number in proof:
        digits = _in_digits(number)
        if length + len(digits) > LONGEST_TEXT:
            texts.append("".join(current))
            current, length = [], 0
        current.append(digits)
        length += len(digits)
    return [text.ljust(-(-len(text) // 8) * 8) for text in (*texts, "".join(current))]


def proof_numbers(
    lemmas: Sequence[HintedLemma], clause_count: int, *, forgetting: bool = False
) -> Iterator[int]:
    """Yield the numbers of a refutation, as theory/Checker.v reads them.

    For every lemma its literals, 2x for the variable x and 2x + 1 for its negation, a 0, its hints and a 0.

    A hint is by how much the number of its clause is less than that of the lemma; lemmas are numbered on from
    the formula's clauses, with no gaps.

    Parameters
    ----------
    lemmas
        As `schedsolve.export.hints.hinted_lemmas` gives them, the empty clause last.
    clause_count
        Of the formula that is refuted.
    forgetting
        Whether lemmas that are hints for the last time are forgotten then: a 1, by how much their numbers are
        less than that of the next lemma, and a 0.
    """
    last_use = {hint: k for k, lemma in enumerate(lemmas) for hint in lemma.hints} if forgetting else {}
    new_number: dict[int, int] = {}
    for k, lemma in enumerate(lemmas):
        number = clause_count + 1 + k
        yield from (2 * x if x > 0 else 1 - 2 * x for x in lemma.clause)
        yield 0
        yield from (number - new_number.get(hint, hint) for hint in lemma.hints)
        yield 0
        new_number[lemma.number] = number
        done = [new_number[x] for x in {*lemma.hints} if last_use.get(x) == k and x in new_number]
        if done and lemma.clause:
            yield 1
            yield from (number + 1 - old for old in done)
            yield 0


@lru_cache(maxsize=1 << 17)
def _in_digits(number: int) -> str:
    """Return the number in base 32, the highest digit first.

    All digits but the last are written 32 higher.
    """
    digits = [number % 32]
    while number >= 32:
        number //= 32
        digits.append(number % 32 + 32)
    return "".join(chr(_FIRST + digit) for digit in reversed(digits))
