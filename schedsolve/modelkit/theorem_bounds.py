"""Lower bounds that anybody can compute again from the problem alone.

What a model lists, and what `bounds` and `check` make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.runtime.errors import ClaimError


@dataclass(frozen=True)
class LowerBound:
    """A lower bound that is recomputed from the problem alone.

    Its name in saved results, what it rests on, the function that computes it, and whether it is always
    exact.

    compute: gives None for a problem of which the bound says nothing. listed: whether `bounds` and `solve`
    name it; one that another bound always reaches is only read from files of earlier versions.
    """

    name: str
    reason: str
    compute: Callable[[Problem], int | None]
    exact: bool = False
    listed: bool = True

    def claim(self, problem: Problem, _: Mapping[str, Any]) -> int:
        """Return what evidence of this kind proves: the bound's value.

        Raises
        ------
        ClaimError
            Where it says nothing.
        """
        value = self.compute(problem)
        if value is None:
            raise ClaimError(f"the premises of '{self.name}' do not hold here")
        return value


def theorem_bounds(bounds: Sequence[LowerBound]) -> Callable[[Problem], Iterator[Bound]]:
    """Return the function of a model's record that computes these bounds for a problem."""

    def compute(problem: Problem) -> Iterator[Bound]:
        for bound in bounds:
            value = bound.compute(problem) if bound.listed else None
            if value is not None:
                yield Bound(
                    "lower", value, f"{bound.reason}{', exact' if bound.exact else ''}", {"kind": bound.name}
                )

    return compute


def odd_gossip_rounds(n: int) -> int | None:
    """Return ceil(log2 n) + 1, the bound by counting for a gossip among an odd number n >= 3 of nodes.

    Each takes part in at most one call a round. None for other n.

    Some node is idle in the last round M, and before it a node knows at most 2^(M-1) items; so n <= 2^(M-1).
    """
    return None if n < 3 or n % 2 == 0 else (n - 1).bit_length() + 1
