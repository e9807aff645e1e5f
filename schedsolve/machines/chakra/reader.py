"""Reading Chakra execution traces: protobuf messages, each behind its length, by the published schema.

Fields that the schema does not have, or that no replay needs, are skipped as protobuf's rules say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.limits.budget import spend

VARINT, FIXED_64, LENGTH_DELIMITED, FIXED_32 = 0, 1, 2, 5
"""Wire types."""
FIXED = {FIXED_64: 8, FIXED_32: 4}
ID, NAME, KIND, CONTROL, DATA, ATTRIBUTE = 1, 2, 3, 4, 5, 10
"""Fields of a node: two of them list nodes that come before."""
LABEL, TEXT = 1, 29
"""Fields of an attribute: its name, and its value where that is a text."""
PLAIN, ZIGZAG = (7, 9, 11, 13, 27), (15, 17)
"""Fields of an attribute that hold a whole number, and those that hold it with its sign in the last bit."""
OF_METADATA = 2
MOST_OF_A_NUMBER = 10
"""Bytes, by the rules of protobuf."""


@dataclass(frozen=True)
class Node:
    """A node of a trace.

    Attributes
    ----------
    number, name, kind
        As in the file.
    after
        The nodes of the same trace that must be done before it starts.
    values
        Its attributes that are whole numbers, by name.
    """

    number: int
    name: str
    kind: int
    after: tuple[int, ...]
    values: Mapping[str, int]


@dataclass(frozen=True)
class Trace:
    """A trace: what its metadata say, those that are texts, and its nodes by number."""

    said: Mapping[str, str]
    nodes: Mapping[int, Node]


def read_trace(content: bytes) -> Trace:
    """Return the trace in the bytes of a file.

    Raises
    ------
    InputError
        If it is none: cut short, no protobuf, a node twice, or a dependency on a node that is not there.
    """
    messages = list(_messages(content))
    if not messages:
        raise InputError("no Chakra trace, as it is empty")
    said = {}
    for field, value in _fields(messages[0]):
        if field == OF_METADATA and isinstance(value, bytes):
            name, what = _attribute(value)
            if isinstance(what, str):
                said[name] = what
    nodes: dict[int, Node] = {}
    for message in messages[1:]:
        node = _node(message)
        if node.number in nodes:
            raise InputError(f"two nodes have the number {node.number}")
        nodes[node.number] = node
    for node in nodes.values():
        for other in node.after:
            if other not in nodes:
                raise InputError(f"node {node.number} waits for node {other}, which is not in the trace")
    return Trace(said, nodes)


def _messages(content: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(content):
        length, start = _varint(content, at)
        if start + length > len(content):
            raise InputError(f"no Chakra trace, or cut short: {length} bytes are announced at byte {at}")
        yield content[start : start + length]
        at = start + length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number as protobuf writes it, and where it ends."""
    value = 0
    for place in range(MOST_OF_A_NUMBER):
        if at + place >= len(data):
            raise InputError(f"no Chakra trace, or cut short: a number at byte {at} does not end")
        byte = data[at + place]
        value |= (byte & 127) << 7 * place
        if byte < 128:
            return value, at + place + 1
    raise InputError(f"no Chakra trace: a number at byte {at} does not end")


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message: numbers, and the bytes of all others."""
    at = 0
    while at < len(data):
        spend("values", 1)
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind == LENGTH_DELIMITED:
            length, at = _varint(data, at)
        elif kind in FIXED:
            length = FIXED[kind]
        else:
            raise InputError(f"no Chakra trace: protobuf has no wire type {kind}")
        if at + length > len(data):
            raise InputError("no Chakra trace, or cut short: a field is longer than its message")
        yield key >> 3, data[at : at + length]
        at += length


def _node(message: bytes) -> Node:
    number, name, kind = 0, "", 0
    after: list[int] = []
    values: dict[str, int] = {}
    for field, value in _fields(message):
        if field == ID and isinstance(value, int):
            number = value
        elif field == NAME and isinstance(value, bytes):
            name = _text(value)
        elif field == KIND and isinstance(value, int):
            kind = value
        elif field in (CONTROL, DATA):
            after += [value] if isinstance(value, int) else _packed(value)
        elif field == ATTRIBUTE and isinstance(value, bytes):
            label, what = _attribute(value)
            if isinstance(what, int):
                values[label] = what
    return Node(number, name, kind, tuple(after), values)


def _packed(data: bytes) -> list[int]:
    """Return the numbers that stand one behind the other in a field."""
    found, at = [], 0
    while at < len(data):
        spend("values", 1)
        value, at = _varint(data, at)
        found.append(value)
    return found


def _attribute(data: bytes) -> tuple[str, int | str | None]:
    """Return an attribute's name, and its value where it is a whole number or a text."""
    name = ""
    found: int | str | None = None
    for field, value in _fields(data):
        if isinstance(value, bytes):
            if field == LABEL:
                name = _text(value)
            elif field == TEXT:
                found = _text(value)
        elif field in PLAIN:
            found = value - (1 << 64) if value >> 63 else value
        elif field in ZIGZAG:
            found = value >> 1 ^ -(value & 1)
    return name, found


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError(f"no Chakra trace: {shown(data[:20])} is no UTF-8") from None
