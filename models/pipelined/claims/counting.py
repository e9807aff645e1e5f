"""How often a part of the buffer is sent in an allreduce.

Take disjoint groups of nodes that together hold all compute nodes, relays too, K groups with one rank or more
in each. Every schedule sends each part 2 (K - 1) times at least from one group to another. Let a group know
what any of its nodes knows, and take the sends in the order in which they arrive. The first group that knows
something of all K does so after K - 1 sends at least, as they join it with all others. Then each of the other
groups must still be sent something: K - 1 sends more. A send from one group to another crosses a link that
leaves the one and a link that enters the other. Relays are in groups because they add up and copy: a relay in
none could join what many groups know. (For calls in gossip, with groups of one: Harary, Schwenk
1974.)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.groups import bandwidth_between, groups_of
from schedsolve.runtime.errors import ClaimError


def counting_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the time that counting proves.

    2 (K - 1) sends, against what the links into the groups carry, or out of them.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "groups", lists of labels; every compute node by itself when it has none, which needs that all are
        ranks.

    Raises
    ------
    ClaimError
        For other tasks, for groups that overlap, leave out compute nodes or hold no rank, and where switches
        copy and add up, so that a send may end at many nodes.
    """
    if problem.task != "allreduce" or problem.parameters.get("switches_copy"):
        raise ClaimError("sends are counted for an allreduce whose switches neither copy nor add up")
    groups, ranks = groups_of(problem.network, evidence), set(ranks_of(problem))
    if any(ranks.isdisjoint(group) for group in groups):
        raise ClaimError("every group has a rank")
    bandwidth = min(bandwidth_between(problem.network, groups, inward=side) for side in (True, False))
    if not bandwidth:
        raise ClaimError("nothing can get from one group to another")
    return 2 * (len(groups) - 1) / bandwidth
