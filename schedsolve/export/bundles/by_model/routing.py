"""What the program that verifies a result of the routing model alone is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.routes import most_messages_bound, replay_routes, routes_in_words
from schedsolve.modelkit.problem import Problem
from schedsolve.models.routing.rules import messages_of


def bundle(problem: Problem) -> Bundle:
    """Return what a program needs to verify a problem on its own: the kernel's referee and bound."""
    claim = {"messages": [list(message) for message in messages_of(problem)]}
    return Bundle(claim, routes_in_words, replay_routes, _proof)


def _proof(evidence: Mapping[str, Any]) -> Proof | None:
    return Proof(most_messages_bound) if evidence["kind"] == "multiplicity" else None
