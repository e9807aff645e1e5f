"""How the networks of designs are decided, a file for every model that has designs."""

EXAMPLES = (
    "telephone gossip --nodes 8",
    "telegraph gossip --nodes 7 --all",
    "line gossip --nodes 6 --ports 1 --all",
    "synchronous allgather --nodes 16 --max-degree 2..6",
    "pipelined alltoall --nodes 10 --regular 3",
)
"""Designs of every model that has some, as they are typed."""
