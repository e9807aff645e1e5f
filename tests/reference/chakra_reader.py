"""Chakra traces read from their bytes by the rules of protobuf, with nothing of the package."""

from __future__ import annotations

from typing import NamedTuple

Field = tuple[int, int | bytes]


class Node(NamedTuple):
    """A node: its name, type and dependencies, and its attributes, each with the field that holds it."""

    name: str
    kind: int
    after: tuple[int, ...]
    attributes: dict[str, Field]


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def messages(data: bytes) -> list[bytes]:
    """The messages of a file, each behind its length."""
    found, at = [], 0
    while at < len(data):
        length, at = varint(data, at)
        assert at + length <= len(data)
        found.append(data[at : at + length])
        at += length
    return found


def fields(data: bytes) -> list[Field]:
    """The fields of a message: numbers, or bytes."""
    found: list[Field] = []
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2)
        value, at = varint(data, at)
        if key & 7 == 0:
            found.append((key >> 3, value))
        else:
            found.append((key >> 3, data[at : at + value]))
            at += value
    return found


def nodes(data: bytes) -> dict[int, Node]:
    """The nodes of a trace, by their ids."""
    found = {}
    for message in messages(data)[1:]:
        own: dict[int, list[int | bytes]] = {}
        for number, content in fields(message):
            own.setdefault(number, []).append(content)
        attributes: dict[str, Field] = {}
        for attribute in own.get(10, []):
            assert isinstance(attribute, bytes)
            (_, label), value = fields(attribute)
            assert isinstance(label, bytes)
            attributes[label.decode()] = value
        after, packed, at = [], b"".join(v for v in own.get(5, []) if isinstance(v, bytes)), 0
        while at < len(packed):
            before, at = varint(packed, at)
            after.append(before)
        name, (kind,), (key,) = own[2][0], own[3], own.get(1, [0])
        assert isinstance(name, bytes)
        assert isinstance(kind, int)
        assert isinstance(key, int)
        assert key not in found
        assert all(node < key for node in after)
        found[key] = Node(name.decode(), kind, tuple(after), attributes)
    return found
