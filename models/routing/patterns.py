"""Message patterns of the routing model, and how a problem specifies its messages.

The patterns: random, with distinct random sources and independent random destinations other than the
source; the cyclic shift, p to p + K modulo n; the transpose, which swaps the halves of a node's binary
digits; the bit reversal, which reverses the digits; all-to-one, from all other nodes to node 0. A
message to its own source needs no network and is left out.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), sections 5 and 7.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .rules import Message, processor_count

if TYPE_CHECKING:
    import numpy as np

FORMS = "random, shift:K, transpose, bit-reversal or all-to-one"
LARGEST_NETWORK = 2**24
"""The largest number of processing nodes that is simulated."""


def read_pattern(text: Any, n: int) -> str:
    """Return the name of a pattern for n processing nodes, with a shift reduced modulo n.

    Raises
    ------
    InputError
        If there is no such pattern, or not for n processing nodes.
    """
    shift = re.fullmatch("shift:([0-9]{1,18})", text) if isinstance(text, str) else None
    if shift:
        if int(shift[1]) % n == 0:
            raise InputError(
                f"--pattern {text:.40} sends every message to its own source, as there are {n} processing"
                " nodes"
            )
        return f"shift:{int(shift[1]) % n}"
    if text not in ("random", "transpose", "bit-reversal", "all-to-one"):
        raise InputError(f"--pattern takes {FORMS}; not {text!r:.60}")
    if text == "transpose" and (n.bit_length() - 1) % 2:
        raise InputError(
            "a transpose needs a number of processing nodes whose logarithm is even, such as 16 or 64,"
            f" not {n}"
        )
    return str(text)


def most_messages(pattern: str, n: int) -> int:
    """Return the most messages of a pattern; those of a permutation to their own source count."""
    return n - 1 if pattern == "all-to-one" else n


def check_count(pattern: str, n: int, count: int) -> None:
    """Raise InputError if a pattern has fewer messages than `count`."""
    most = most_messages(pattern, n)
    if count > most:
        raise InputError(
            f"--messages {count}: {pattern} has at most {most} messages on {n} processing nodes, one from"
            " each source"
        )


def permutation(pattern: str, n: int) -> np.ndarray:
    """Return the destination of every node in a shift, a transpose, a bit reversal, or all-to-one."""
    import numpy as np

    nodes = np.arange(n, dtype=np.int32)
    digits = n.bit_length() - 1
    if pattern == "all-to-one":
        return np.zeros_like(nodes)
    if pattern == "transpose":
        half = digits // 2
        return (nodes >> half) | (nodes & ((1 << half) - 1)) << half
    if pattern == "bit-reversal":
        reversed_: np.ndarray = np.bitwise_or.reduce(
            [(nodes >> i & 1) << (digits - 1 - i) for i in range(digits)], axis=0
        )
        return reversed_
    return (nodes + int(pattern.partition(":")[2])) % n


def draw_messages(
    pattern: str, n: int, count: int, runs: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the messages of independent runs as an array of sources and one of destinations.

    Parameters
    ----------
    pattern
        The name of the pattern.
    n
        The number of processing nodes.
    count
        The number of sources that send in each run; they are drawn if it is less than all.
    runs
        The number of runs. Node v of run k is numbered k n + v, and the runs follow one another.
    generator
        The random number generator.
    """
    import numpy as np

    first = 1 if pattern == "all-to-one" else 0
    nodes = np.tile(np.arange(first, n, dtype=np.int32), (runs, 1))
    source = generator.permuted(nodes, axis=1)[:, :count] if count < n - first else nodes
    if pattern == "random":
        other = generator.integers(0, max(1, n - 1), size=source.shape, dtype=np.int32)
        destination = other + (other >= source)
    else:
        destination = permutation(pattern, n)[source]
    offset = (np.arange(runs, dtype=np.int32) * n)[:, None]
    source, destination = (source + offset).ravel(), (destination + offset).ravel()
    leaves = source != destination
    return source[leaves], destination[leaves]


def read_message_file(file: str, n: int) -> list[Message]:
    """Return the messages of a text file: one per line, source and destination; `#` begins a comment.

    Raises
    ------
    InputError
        If the file cannot be read, or a line holds anything else; the message names the line.
    """
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise InputError(
            f"--messages takes a number, 0 or more, or a file of lines SOURCE DESTINATION; {file:.60} cannot"
            f" be read: {why}"
        ) from None
    messages = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        if len(words) != 2 or not all(re.fullmatch("[0-9]{1,18}", word) for word in words):
            raise InputError(
                f"{file}, line {number}: a message is a source and a destination, two numbers; not"
                f" {line!r:.60}"
            )
        try:
            messages.append(_message([int(word) for word in words], n))
        except InputError as error:
            raise InputError(f"{file}, line {number}: {error}") from None
    return messages


def _message(pair: Any, n: int) -> Message:
    if (
        not isinstance(pair, list | tuple)
        or len(pair) != 2
        or not all(type(v) is int and v >= 0 for v in pair)
    ):
        raise InputError(f"a message is [SOURCE, DESTINATION], two processing nodes; not {pair!r:.60}")
    source, destination = pair
    if max(pair) >= n:
        raise InputError(f"{max(pair)} is not a processing node; these are 0..{n - 1}")
    if source == destination:
        raise InputError(f"the message from {source} goes to its own source, which needs no network")
    return source, destination


def read_messages(value: Any, n: int) -> int | list[Message]:
    """Return a number of messages, or the messages of a list of pairs or of a file.

    Raises
    ------
    InputError
        If the value is none of these.
    """
    if isinstance(value, list):
        return [_message(pair, n) for pair in value]
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InputError(
            f"--messages takes a number, 0 or more, a file, or in JSON a list of pairs; not {value!r:.60}"
        )
    if re.fullmatch("-?[0-9]+", str(value)):
        if not re.fullmatch("[0-9]{1,9}", str(value)):
            raise InputError(
                f"--messages takes a number of messages from 0 to {most_messages('random', n)}, not"
                f" {value!s:.20}"
            )
        return int(value)
    return read_message_file(str(value), n)


def fat_tree_size(network: Network) -> int:
    """Return the number of processing nodes of a fat-tree.

    Raises
    ------
    InputError
        If the network is not a fat-tree.
    """
    n = processor_count(network)
    edges = {(v, n + v // 2) for v in range(2 * n - 2)}
    whole = n >= 2 and n & (n - 1) == 0 and network.labels == tuple(range(2 * n - 1))
    if not whole or network.directed or set(network.edges) != edges:
        raise InputError(
            "routing is through the routers of a fat-tree, fat-tree:N with N a power of two; not"
            f" {network.name or 'this network':.60}"
        )
    return n


def _read_pattern_parameter(value: Any, network: Network) -> str:
    name, _, seed = value.partition(":") if isinstance(value, str) else ("", "", "")
    if name == "random" and re.fullmatch("[0-9]{1,18}", seed):
        return f"random:{int(seed)}"
    return read_pattern(value, fat_tree_size(network))


def complete(problem: Problem, _: bool) -> Problem:
    """Return the problem with a list of messages in place of a pattern and a number of messages.

    If neither is given, every node sends a message to a random other one. Random messages are drawn with
    the seed of `random:SEED`, by default 0.

    Raises
    ------
    InputError
        If a pattern is given in addition to a list of messages, or has fewer messages than requested.
    """
    import numpy as np

    given, messages = problem.parameters.get("pattern"), problem.parameters.get("messages")
    if isinstance(messages, list):
        if given is not None:
            raise InputError(
                "--pattern says which messages there are, and so does --messages with a file or a list: give"
                " one of them"
            )
        return problem.with_parameters(messages=[list(message) for message in messages])
    n = fat_tree_size(problem.network)
    seed = re.fullmatch("random:([0-9]+)", given or "")
    pattern = "random" if seed or given is None else str(given)
    count = most_messages(pattern, n) if messages is None else messages
    check_count(pattern, n, count)
    drawn = draw_messages(pattern, n, count, 1, np.random.default_rng(int(seed[1]) if seed else 0))
    return problem.with_parameters(
        pattern=None, messages=[[int(s), int(d)] for s, d in zip(*drawn, strict=True)]
    )


PATTERN = Parameter(
    "pattern",
    "P",
    f"the messages of routing: {FORMS}; random:SEED draws others (default: random)",
    _read_pattern_parameter,
    lambda network: None,
)
MESSAGES = Parameter(
    "messages",
    "M|FILE",
    "the messages of routing: how many sources of the pattern send one (default: all), or a file of lines"
    " SOURCE DESTINATION",
    lambda value, network: read_messages(value, fat_tree_size(network)),
    lambda network: None,
)
