"""Bounds on the time of a broadcast between the leaves of a tree, by the clock and in rounds.

They hold for a product and a prefix as well: in a product run backwards, with every message
reversed, the messages that carry what becomes part of the result bring the root's message to
all leaves; and a prefix brings operand 0 to all leaves.
"""

from __future__ import annotations

from typing import Any

from .network import Network
from .tree_messages import processors_of
from .wrong import require


def empty_subtree_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Channels carry too little: before the bound, some subtree of a suitable height is empty.

    E(k) is the least time until a subtree of height k is informed whose channel no copy crossed. A
    leaf is not informed before k + 1 steps: until then no copy is made inside. Within these steps,
    what reached subtrees of height k - d came through the channel in the first k + 1 - d of them;
    so if 2^d > w(2^k) (k + 1 - d), one of these has not been entered, and E(k) >= k + 1 + E(k - d).
    The other half of the tree has not been entered when the message could have reached the root.
    """
    height, times = processors_of(network).bit_length() - 1, [0]
    require(not claim["in_rounds"], "this bound is for messages by the clock")
    for k in range(height):
        w = claim["capacities"][k]
        later = [times[k - d + 1] for d in range(1, k + 1) if 1 << d > w * (k + 1 - d)]
        times.append(k + 1 + max(later, default=0))
    return height + times[-1]


def round_height_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """In rounds higher than h, nonempty subtrees of height h grow at most (w(2^h) + 1)-fold.

    Other rounds add none. So for every h, at least the rounds that this takes are higher than h.
    """
    n, total = processors_of(network), 0
    require(claim["in_rounds"], "this bound is for rounds")
    for h in range(n.bit_length() - 1):
        nonempty = 1
        while nonempty < n >> h:
            nonempty *= min(claim["capacities"][h], 1 << h) + 1
            total += 2
    return total
