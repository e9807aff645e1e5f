"""The kinds of evidence of a model: the bound that each proves, and the fields that it reads.

A field that nobody reads may say anything, true or not, so that evidence has none: any other is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.runtime.errors import ClaimError, shown


class Holds(Enum):
    """What a field holds, besides objects with fields of their own."""

    VALUES = "numbers, texts, and lists of them"
    ROWS = "an object whose keys are read as well, such as numbers of rows"
    EVIDENCE = "evidence of its own, with its kind, or a list of such"


Fields = Mapping[str, "Holds | Fields"]
"""The fields of an object and what they hold; "kind" need not be named. Of a field with objects, alone or in
lists, the fields of these."""


Claim = Callable[[Problem, Mapping[str, Any]], Value]
"""The value that evidence proves for a problem; raises ClaimError when it proves nothing."""


@dataclass(frozen=True)
class EvidenceKind:
    """What a model says of evidence of one kind.

    Attributes
    ----------
    fields
        The fields that it has besides "kind", as a function where they depend on the problem or on what else
        the evidence has; of a refutation, those besides `PROOF` and `CUBES`.
    lower
        Computes the lower bound that it proves; None where it proves none by itself, as a refutation does.
    existence
        Computes the value of which it proves that schedules exist, where none is written down; None where it
        proves no such thing.
    """

    fields: Fields | Callable[[Problem, Mapping[str, Any]], Fields]
    lower: Claim | None = None
    existence: Claim | None = None


Kinds = Mapping[str, EvidenceKind]
"""Every kind by its name; refutations with a premise by "refutation, PREMISE"."""


def lower_claims(kinds: Kinds) -> dict[str, Claim]:
    """Return what computes lower bounds, by the kind of evidence."""
    return {name: kind.lower for name, kind in kinds.items() if kind.lower is not None}


def existence_claims(kinds: Kinds) -> dict[str, Claim]:
    """Return what computes values of schedules that exist, by the kind of evidence."""
    return {name: kind.existence for name, kind in kinds.items() if kind.existence is not None}


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


def fields_of(problem: Problem, evidence: Mapping[str, Any], kinds: Kinds) -> Fields:
    """Return the fields of evidence of its kind.

    Raises
    ------
    ClaimError
        For a kind that is not declared.
    """
    kind, premise = evidence.get("kind"), evidence.get("premise")
    if not isinstance(kind, str) or kind not in kinds:
        raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
    refutes = kind == "refutation"
    name = kind if premise is None or not refutes else f"{kind}, {premise}"
    if name not in kinds:
        raise ClaimError("a refutation names a premise that there is not")
    said = kinds[name].fields
    own = said(problem, evidence) if callable(said) else said
    if not refutes:
        return own
    named = fields() if premise is None else fields("premise")
    return {**own, **named, **(CUBES if "cubes" in evidence else PROOF)}


def refuse_other_fields(problem: Problem, evidence: Mapping[str, Any], kinds: Kinds) -> None:
    """Raise ClaimError when evidence has a field that its kind does not read.

    An object within it may not have one either.
    """
    waiting: list[tuple[Any, Holds | Fields]] = [(evidence, Holds.EVIDENCE)]
    while waiting:
        held, said = waiting.pop()
        if isinstance(held, list):
            waiting.extend((one, said) for one in held if isinstance(one, list | Mapping))
        elif isinstance(held, Mapping) and said is not Holds.ROWS:
            known = _known(problem, held, said, kinds)
            refuse_fields(held, *(key for key in held if key not in known))
            waiting.extend((held[key], known[key]) for key in held)


def _known(problem: Problem, held: Mapping[str, Any], said: Holds | Fields, kinds: Kinds) -> Fields:
    if isinstance(said, Mapping):
        return said
    return {"kind": Holds.VALUES, **fields_of(problem, held, kinds)} if said is Holds.EVIDENCE else {}


def refuse_fields(evidence: Mapping[str, Any], *names: str) -> None:
    """Raise ClaimError when evidence has one of these fields, which are not read, or not for this problem."""
    for name in names:
        if name in evidence:
            raise ClaimError(f"unexpected field {shown(name)} in the evidence, which nothing reads")
