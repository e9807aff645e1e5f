"""The paper's broadcast algorithms, as lists of parallel steps from processor 0.

The numbers of processors are moved to the source afterwards. `Sends` are (sender, receiver) pairs that
are sent at the same time, and a list of them is a protocol: one entry for every line of Algorithm 1 or
2 that sends. Calls in parallel (pardo) are merged entry by entry, as all copies of a procedure do the
same at the same time.

Rounding, where the paper's r = max(w(n), 2) copies, or their root, are not powers of two: r is the
largest power of two that is at most max(w(n), 2), and r = a b with a = 2^ceil(k/2), b = 2^floor(k/2)
for r = 2^k. Phase 1 makes a copies in a subtree of w^-1(a) leaves, phase 2 makes b copies of each in
subtrees of w^-1(b) leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ..rules.tree import FatTree

Sends = list[tuple[int, int]]
Protocol = list[Sends]


def copies(tree: FatTree, height: int) -> int:
    """Return k for the 2^k copies that a sparse broadcast in a subtree of a height makes.

    It is 0 for a single processor.
    """
    return min(max(tree.capacities[height], 2).bit_length() - 1, height)


def inverse_capacity(tree: FatTree, copies_wanted: int) -> int:
    """Return the least height j with w(2^j) >= c, the logarithm of the paper's w^-1(c)."""
    return next(j for j, w in enumerate(tree.capacities) if min(w, 1 << j) >= copies_wanted)


def sparse_broadcast(tree: FatTree, first: int, height: int) -> Protocol:
    """Return Algorithm 2: from `first` to r equally spaced leaves of its subtree of a height.

    Line 3 is one message to the other half. Otherwise, with the subtree's n leaves: lines 5 and 6 make a
    copies in a subtree of w^-1(a) leaves, lines 7 and 8 spread them over all n, lines 9 and 10 make each of
    them b copies in a subtree of w^-1(b) leaves, lines 11 to 14 spread these.
    """
    k = copies(tree, height)
    if k == 0:
        return []
    if k == 1:
        return [[(first, first + (1 << (height - 1)))]]
    many, few = k - k // 2, k // 2
    near, nearer = inverse_capacity(tree, 1 << many), inverse_capacity(tree, 1 << few)
    starts = [first + (i << (height - many)) for i in range(1 << many)]
    protocol = sparse_broadcast(tree, first, near)
    protocol.append([(first + (i << (near - many)), start) for i, start in enumerate(starts)])
    protocol += in_parallel([sparse_broadcast(tree, start, nearer) for start in starts])
    protocol.append(
        [(s + (j << (nearer - few)), s + (j << (height - k))) for s in starts for j in range(1 << few)]
    )
    return protocol


def broadcast(tree: FatTree, first: int, height: int) -> Protocol:
    """Return Algorithm 1: a sparse broadcast, then a broadcast in each of r subtrees.

    These are the subtrees that now hold a copy in their first leaf.
    """
    if height == 0:
        return []
    k = copies(tree, height)
    rest = [broadcast(tree, first + (i << (height - k)), height - k) for i in range(1 << k)]
    return sparse_broadcast(tree, first, height) + in_parallel(rest)


def in_parallel(protocols: Sequence[Protocol]) -> Protocol:
    """Return the merger of protocols of the same shape, carried out at the same time."""
    return [[send for sends in step for send in sends] for step in zip_longest(*protocols, fillvalue=[])]


def only_first_messages(protocol: Protocol, source: int) -> Protocol:
    """Return the protocol without messages to processors that hold the message already.

    Every step is kept, though it may be empty. As printed, the algorithms send such messages, also from a
    processor to itself, and in some steps make a processor send and receive at once, which the round model
    forbids: then it received what it held.
    """
    informed = {source}
    kept = []
    for sends in protocol:
        fresh: Sends = []
        for sender, receiver in sends:
            if receiver not in informed:
                informed.add(receiver)
                fresh.append((sender, receiver))
        kept.append(fresh)
    return kept


def without_conflicts(sends: Sends) -> Protocol:
    """Return a step as several steps, in none of which a processor both sends and receives.

    A message to a sender comes after the message that this sender sends.
    """
    sent_by = {sender: (sender, receiver) for sender, receiver in sends if sender != receiver}
    steps: Protocol = []
    while sent_by:
        free = [send for send in sent_by.values() if send[1] not in sent_by]
        steps.append(free)
        for sender, _ in free:
            del sent_by[sender]
    return steps
