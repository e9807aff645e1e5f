"""What a model says of the program that verifies a result of it alone.

Which functions of the kernel replay its schedules and prove its bounds, and what they are told.

A claim, as the kernel has it, is JSON data in the numbers of the nodes. The functions are given as they are,
and `schedsolve.export.bundles.program_text` finds their text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Proof:
    """How the program proves a lower bound.

    Attributes
    ----------
    lower_bound
        The kernel's function, of the claim, the network and the texts of the files, to the bound; None where
        the program proves none.
    evidence
        What the function is told besides the claim, JSON data.
    rests_on
        What the program does not verify itself, by names such as "Theorem 7".
    refutes
        Whether it replays a refutation.
    """

    lower_bound: Callable[..., Any] | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()
    refutes: bool = False


@dataclass(frozen=True)
class Bundle:
    """What verifies the results of a problem.

    Attributes
    ----------
    claim
        What the kernel's functions are told of the problem, besides its network.
    in_words
        The kernel's function, of the claim, to the quantity and the rules in words.
    replay
        The kernel's referee, of the claim, the network and the JSON data of a schedule, to its value; raises
        WrongError.
    proof
        For the evidence of a bound how it is proven; None for evidence that the kernel does not know.
    """

    claim: Mapping[str, Any]
    in_words: Callable[..., tuple[str, str]]
    replay: Callable[..., Any]
    proof: Callable[[Mapping[str, Any]], Proof | None]
