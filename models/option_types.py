"""The options of models as keywords of `build_problem`, for type checkers and editors.

Nodes are the users' own; numbers may be text, as on the command line; None is no value. Which options a task
has, and what they mean, is said by `schedsolve solve MODEL TASK --help`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypedDict

Count = int | str | None
"""A whole number."""
Amount = int | Fraction | str | None
"""An exact number."""


class AnyOptions(TypedDict, total=False):
    """What every model takes."""

    ignore_bandwidths: bool
    saved: bool
    weight: str | None


class RoundOptions(AnyOptions, total=False):
    """Of models whose schedules are rounds of calls or messages."""

    source: Any
    root: Any
    targets: Any
    rounds: Count
    period: Count
    edge_colouring: Any
    ports: Count
    weak_ports: bool | None
    extra_rounds: Count
    total_rounds: Count
    alpha: Amount
    tau: Amount
    length: Amount
    capacity: Any
    capacity_table: Any
    timing: Literal["rounds", "clock"] | None
    pattern: str | None
    messages: Any


class StepOptions(AnyOptions, total=False):
    """Of synchronous schedules."""

    source: Any
    root: Any
    ranks: Any
    steps: Count
    chunks: Count
    rounds: Count
    sizes: Mapping[Any, Any] | Sequence[Any] | str | None
    ordered: bool | None


class PipelinedOptions(AnyOptions, total=False):
    """Of pipelined schedules."""

    source: Any
    root: Any
    ranks: Any
    sizes: Mapping[Any, Any] | Sequence[Any] | str | None
    switches_copy: bool | None
    ordered: bool | None
