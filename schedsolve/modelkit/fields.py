"""Which fields evidence has: what each kind declares that it reads, and the refusal of any other.

A field that nobody reads may say anything, true or not, so that evidence has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from schedsolve.errors import ClaimError, shown
from schedsolve.problem import Problem


class Holds(Enum):
    """What a field holds, besides objects with fields of their own."""

    VALUES = "numbers, texts, and lists of them"
    ROWS = "an object whose keys are read as well, such as numbers of rows"
    EVIDENCE = "evidence of its own, with its kind, or a list of such"


Fields = Mapping[str, "Holds | Fields"]
"""The fields of an object and what they hold; "kind" need not be named. Of a field with objects, alone or in
lists, the fields of these."""


Declared = Mapping[str, Fields | Callable[[Problem, Mapping[str, Any]], Fields]]
"""The fields of every kind, as a function where they depend on the problem or on what else the evidence has;
for refutations with a premise by "refutation, PREMISE". Those of `PROOF` and `CUBES` are not named."""


def fields(*values: str, **others: Holds | Fields) -> Fields:
    """Fields that hold values, by their names, and others.

    ```pycon
    >>> fields("rounds", rows=Holds.EVIDENCE)["rounds"]
    <Holds.VALUES: 'numbers, texts, and lists of them'>

    ```
    """
    return {**dict.fromkeys(values, Holds.VALUES), **others}


PROOF = fields("rounds", "proof", "sha256")
"""What is read of every refutation."""
CUBES = fields("rounds", "lemmas", cubes=fields("cube", "proof", "sha256"))
"""The same where its proof is one for every cube."""


def fields_of(problem: Problem, evidence: Mapping[str, Any], declared: Declared) -> Fields:
    """Return the fields of evidence of its kind.

    Raises
    ------
    ClaimError
        For a kind that is not declared.
    """
    kind, premise = evidence.get("kind"), evidence.get("premise")
    if not isinstance(kind, str) or kind not in declared:
        raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
    refutes = kind == "refutation"
    name = kind if premise is None or not refutes else f"{kind}, {premise}"
    if name not in declared:
        raise ClaimError("a refutation names a premise that there is not")
    said = declared[name]
    own = said(problem, evidence) if callable(said) else said
    if not refutes:
        return own
    named = fields() if premise is None else fields("premise")
    return {**own, **named, **(CUBES if "cubes" in evidence else PROOF)}


def refuse_other_fields(problem: Problem, evidence: Mapping[str, Any], declared: Declared) -> None:
    """Raise ClaimError when evidence has a field that its kind does not read.

    An object within it may not have one either.
    """
    waiting: list[tuple[Any, Holds | Fields]] = [(evidence, Holds.EVIDENCE)]
    while waiting:
        held, said = waiting.pop()
        if isinstance(held, list):
            waiting.extend((one, said) for one in held if isinstance(one, list | Mapping))
        elif isinstance(held, Mapping) and said is not Holds.ROWS:
            known = _known(problem, held, said, declared)
            refuse_fields(held, *(key for key in held if key not in known))
            waiting.extend((held[key], known[key]) for key in held)


def _known(problem: Problem, held: Mapping[str, Any], said: Holds | Fields, declared: Declared) -> Fields:
    if isinstance(said, Mapping):
        return said
    return {"kind": Holds.VALUES, **fields_of(problem, held, declared)} if said is Holds.EVIDENCE else {}


def refuse_fields(evidence: Mapping[str, Any], *names: str) -> None:
    """Raise ClaimError when evidence has one of these fields, which are not read, or not for this problem."""
    for name in names:
        if name in evidence:
            raise ClaimError(f"unexpected field {shown(name)} in the evidence, which nothing reads")
