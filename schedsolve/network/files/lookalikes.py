"""Files that an edge list could be taken for, and the way out of each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schedsolve.runtime.errors import InputError, shown

Rows = Sequence[tuple[int, Sequence[str]]]
WHOLE = re.compile("[0-9]{1,9}")
JOINED = re.compile(r"[^;|]+([;|]|->|--|=>).+")
DECIMAL = re.compile(r"[0-9]*\.[0-9]+")
ENDS = (
    ("source", "target"), ("from", "to"), ("src", "dst"), ("fromnode", "tonode"), ("fromnodeid", "tonodeid"),
    ("sourceid", "targetid"), ("fromid", "toid"), ("node1", "node2"), ("nodea", "nodeb"), ("id1", "id2"),
    ("start", "end"), ("origin", "destination"), ("origin", "dest"), ("source", "dest"),
    ("u", "v"), ("i", "j"), ("a", "b"),
)  # fmt: skip
"""Names of the two columns that hold the ends of an edge, in lower case, without blanks, '_' and '-'."""


def plain_name(cell: str) -> str:
    """Return the name of a column as `ENDS` has it."""
    return re.sub(r"[\s_-]", "", cell.lower())


def refuse_lookalikes(rows: Rows) -> None:
    """Refuse an edge list that is more likely a file of another kind.

    Parameters
    ----------
    rows
        The words of each line, with the line's number, without attributes.

    Raises
    ------
    InputError
        If it is one.
    """
    if not rows:
        return
    line, first = rows[0]
    _refuse_words(rows)
    many = [words for _, words in rows if len(words) > 1]
    if many and all(words[0].endswith(":") for words in many):
        raise InputError(
            f"line {line}: this looks like an adjacency list, 'node: neighbours'; name the file .adjlist"
        )
    _refuse_counts(rows)
    if _is_head(rows):
        raise InputError(
            f"line {line}: '{first[0]} {first[1]}' looks like a head, nodes and edges; remove it, or give the"
            " edge further down if it is one"
        )
    if _is_adjacency(rows):
        raise InputError(
            "this looks like an adjacency list, in which a third word is a neighbour; name the file .adjlist,"
            " or give every edge a bandwidth"
        )
    if len(rows) > 1 and len(first) > 1 and _is_line_of_names(rows):
        raise InputError(
            f"line {line}: {shown(' '.join(first))} looks like a line of names; begin it with '#', or give"
            " the edge further down if it is one"
        )


def _refuse_words(rows: Rows) -> None:
    """Refuse lines without two ends: settings, names joined by a sign, sections, brackets, LGL."""
    line, first = rows[0]
    if all("=" in words[0] for _, words in rows):
        raise InputError(f"line {line}: {shown(first[0])} looks like a setting; give links as 'FROM TO'")
    if all(len(words) == 1 and JOINED.fullmatch(words[0]) for _, words in rows):
        raise InputError(
            f"line {line}: {shown(first[0])} is one name; separate ends by blanks or commas, or name a file"
            " with ';' .csv"
        )
    for number, words in rows:
        if len(words) > 1 and words[0][0] in "([{" and words[0][-1] not in ")]}":
            raise InputError(
                f"line {number}: {shown(' '.join(words))} looks like a pair in brackets; give"
                " links as 'FROM TO'"
            )
    for number, words in rows:
        if len(words) == 1 and re.fullmatch(r"\[.*\]", words[0]):
            raise InputError(
                f"line {number}: {shown(words[0])} looks like the head of a section; keep the lines of links"
                " alone"
            )
    if all(len(words) == 2 and DECIMAL.fullmatch(words[1]) for _, words in rows) and not any(
        DECIMAL.fullmatch(words[0]) for _, words in rows
    ):
        raise InputError(
            f"line {line}: {shown(' '.join(first))} looks like a node with a number (LGL), not like a link;"
            " give both ends of each link, then its bandwidth"
        )


def _refuse_counts(rows: Rows) -> None:
    """Refuse lines of one word that count nodes and edges, or end the file."""
    ends = {word for _, words in rows if len(words) > 1 for word in words[:2]}
    links = sum(len(words) > 1 for _, words in rows)
    if not ends:
        return
    whole = all(map(WHOLE.fullmatch, ends))
    for place, (line, words) in enumerate(rows[:2]):
        if len(words) > 1 or not whole or not WHOLE.fullmatch(words[0]):
            break
        number = int(words[0])
        if number > max(map(int, ends)) or (place and number == links and words[0] not in ends):
            raise InputError(
                f"line {line}: '{words[0]}' looks like the number of nodes or edges; remove it, or give the"
                " node behind the edges if it is one"
            )
    line, words = rows[-1]
    if len(words) == 1 and words[0].lower() in ("end", "eof"):
        raise InputError(f"line {line}: '{words[0]}' looks like the end of the file; remove it")


def _is_head(rows: Rows) -> bool:
    """Whether the first line counts nodes and edges, and the others are that many edges on 0..n-1 or 1..n."""
    (_, first), *rest = rows
    if len(first) != 2 or not all(WHOLE.fullmatch(word) for word in first) or len(rest) != int(first[1]):
        return False
    words = [word for _, row in rest for word in row[:2]]
    if not words or any(len(row) < 2 for _, row in rest) or not all(map(WHOLE.fullmatch, words)):
        return False
    least, most = min(map(int, words)), max(map(int, words))
    return most < int(first[0]) or (least > 0 and most == int(first[0]))


def _is_adjacency(rows: Rows) -> bool:
    """Whether each node has one line, with up to two neighbours behind it, and some have two and none."""
    firsts = {words[0] for _, words in rows}
    if len(firsts) < len(rows) or not {len(words) for _, words in rows} >= {1, 3}:
        return False
    return all(firsts.issuperset(words) for _, words in rows)


def _is_line_of_names(rows: Rows) -> bool:
    (_, first), *rest = rows
    others = {word for _, words in rest for word in words[:2]}
    if not others.isdisjoint(first[:2]) or any(WHOLE.fullmatch(word) for word in first[:2]):
        return False
    known = (plain_name(first[0]), plain_name(first[1])) in ENDS
    # Nodes may well be called a and b.
    return (known and len(first[0]) > 1) or all(WHOLE.fullmatch(word) for word in others)
