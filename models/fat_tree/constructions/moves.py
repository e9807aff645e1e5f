"""The terms of the program of tiles and groups (`groups`): groups of copies, tiles, teams and moves.

A move is a way in which a group fills a height.
"""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """A block of a height with 2^copies equal parts, the first leaf of each of which holds the message."""

    height: int
    copies: int


ONE = Group(0, 0)


class Tile(NamedTuple):
    """What a slot can fill: `number` tiles of a height, each from a group."""

    height: int
    group: Group
    number: int


class Team(NamedTuple):
    """A group that continues to copy itself while it sends (`teams`).

    Places are first leaves of parts of height `part` in a block of height `block`, 0 for the group itself;
    at every other one there is an image of the group once it has arrived. All is filled at `time`. `sends`
    are (place, time, height), for all members of the image alike; `arrivals` are (place, time, height);
    `tiles` are (time, height, tile), what is sent out of the block.
    """

    part: int
    block: int
    time: int
    sends: tuple[tuple[int, int, int], ...]
    arrivals: tuple[tuple[int, int, int], ...]
    tiles: tuple[tuple[int, int, Tile], ...]


class Move(NamedTuple):
    """The way in which a group fills a height.

    `kind` is "done", "base", "slots", "team", "densify", "copy" or "spread". `to` is the group that results
    from a preparation, and `slots` has the height of every slot used.
    """

    kind: str
    to: Group = ONE
    slots: tuple[tuple[int, int], ...] = ()
    team: Team | None = None
