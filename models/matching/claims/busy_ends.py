"""What may be asked of a one-way gossip in M rounds whose first round or last may leave nodes idle.

Premise. Of all gossips in M >= 3 rounds look at those with the fewest calls between the first round and the
last; of these, at those with the most calls in these two rounds together. Automorphisms make such gossips of
them, and on an undirected network so does running them backwards. Of all these take one whose first round is
largest, as in `.fewest_calls`, and of such ones one whose last round is.

1. Let S be the senders of round 1, and S' a larger set of nodes, all of S among them, that can all call nodes
   outside S' in one round. Let them do so in the first round instead. By `.origins` it is a gossip as soon as
   the rounds between bring the items of the nodes outside S to the nodes outside R, and fewer are outside S'.
   So this is a gossip with the same calls between, and more at the ends. Hence no set contains S that can all
   call in one round; likewise none contains R that can all be called in one, on the network with its arcs
   reversed.
2. If u calls v in round t, and v has not called before, u does not call again before it is called. Between
   the first round and the last such a call could be left out, as `.fewest_calls` shows. And if u calls in the
   last round, it is not called there, and knows all items before; that of v too, which v passes on only after
   round t. So u is called in between. The same holds of the gossip run backwards.
3. Exchanging the receivers of two calls of the first round, or their senders in the last, leaves the numbers
   of calls as they are, and by `.origins` leaves a gossip. So the first round is largest in this too.
4. S has floor(n/2) nodes, and all nodes but one at most take part in the first round; or else S is one of the
   sets of fewer nodes that no set contains of nodes that can all call in one round. They are enumerated.
5. Prices (`.prices_outer`) exclude numbers of outer calls of any p nodes that do not call in the first round
   and any p that are not called in the last. If more are silent, some p of them must not have such numbers.

The premise holds of every network, and is used where the enumeration is affordable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from .ends import Sets
from .fewest_calls import allowed_refutation, compared_variables, fewest_calls_formula
from .origins import sender_sets

PREMISE = "busy ends"
LARGEST_NETWORK = 16
"""Nodes up to which all sets of senders are looked at."""
MOST_SETS = 1000
"""The most sets of fewer nodes than half, at one end."""


def short_ends(network: Network) -> tuple[Sets, Sets]:
    """Return the sets of fewer than floor(n/2) nodes that may call first, and those that may be called last.

    Each is contained in no other set of nodes that can all do so in one round.

    Raises
    ------
    ClaimError
        Where the network is too large, or there are too many sets.
    """
    n = network.node_count
    if n > LARGEST_NETWORK:
        raise ClaimError(f"{PREMISE}: for at most {LARGEST_NETWORK} nodes")
    ends = [sender_sets(each) for each in (network, network.reversed())]
    senders, receivers = ([nodes for nodes in end if len(nodes) < n // 2] for end in ends)
    if max(len(senders), len(receivers)) > MOST_SETS:
        raise ClaimError(f"{PREMISE}: more than {MOST_SETS} sets of senders or receivers")
    return senders, receivers


def busy_ends_refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation with this premise must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        As in `fewest_calls_refuted`.

    Raises
    ------
    ClaimError
        If the premise does not apply.
    """
    compared = compared_variables(problem.network)
    rounds, symmetries, excluded = allowed_refutation(problem, evidence, PREMISE, compared)
    short = short_ends(problem.network)
    formula = fewest_calls_formula(problem, rounds, symmetries, excluded, short)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf
