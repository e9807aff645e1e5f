"""Refutations as text that theory/Checker.v reads; short, as Coq takes its time to read a term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from schedsolve.certify.hints import HintedLemma

LONGEST_TEXT = 3200
"""Characters of one text; a proof assistant reads long ones by recursion."""
_FIRST = ord("0")


def proof_texts(lemmas: Sequence[HintedLemma], clause_count: int) -> list[str]:
    """Return the texts that stand for a refutation, in the order in which they are read.

    Parameters
    ----------
    lemmas
        As `schedsolve.certify.hints.hinted_lemmas` gives them, the empty clause last.
    clause_count
        Of the formula that is refuted. No number runs from one text into the next.
    """
    texts, current, length = [], list[str](), 0
    for number in proof_numbers(lemmas, clause_count):
        digits = _in_digits(number)
        if length + len(digits) > LONGEST_TEXT:
            texts.append("".join(current))
            current, length = [], 0
        current.append(digits)
        length += len(digits)
    return [text.ljust(-(-len(text) // 8) * 8) for text in (*texts, "".join(current))]


def proof_numbers(lemmas: Iterable[HintedLemma], clause_count: int) -> Iterator[int]:
    """Yield the numbers of a refutation.

    For every lemma its literals, 2x for the variable x and 2x + 1 for its negation, a 0, its hints and a 0.

    A hint is by how much the number of its clause is less than that of the lemma; lemmas are numbered on from
    the formula's clauses, with no gaps.
    """
    new_number: dict[int, int] = {}
    for number, lemma in enumerate(lemmas, clause_count + 1):
        yield from (2 * x if x > 0 else 1 - 2 * x for x in lemma.clause)
        yield 0
        yield from (number - new_number.get(hint, hint) for hint in lemma.hints)
        yield 0
        new_number[lemma.number] = number


def _in_digits(number: int) -> str:
    """Return the number in base 32, the highest digit first.

    All digits but the last are written 32 higher.
    """
    digits = [number % 32]
    while number >= 32:
        number //= 32
        digits.append(number % 32 + 32)
    return "".join(chr(_FIRST + digit) for digit in reversed(digits))
