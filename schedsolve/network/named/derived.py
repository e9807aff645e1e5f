"""Texts of networks made from others: with holes, as boxes of a cluster, or joined by links.

`NODE-without-5,0-1`, `NODE-cluster-4,8x400Gb,rail` and `NODE-joined-OTHER-by-0-0=400Gb`; what stands last is
done last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, cut

_WORDS = re.compile("-(without|cluster|joined|by)-")
"""No family's text and no graph6 string contains one of these."""


def is_derived(spec: str) -> bool:
    """Return whether a text names a network that is made from others."""
    return _WORDS.search(spec) is not None


def without_holes(spec: str) -> str | None:
    """Return the text of the network whose holes are named last, or None."""
    *_, last = [None, *_WORDS.finditer(spec)]
    return spec[: last.start()] if last is not None and last[1] == "without" else None


def originals(spec: str) -> Iterator[str]:
    """Yield the texts of the networks that a text starts from."""
    parts = _WORDS.split(spec)
    yield parts[0]
    yield from (text for word, text in zip(parts[1::2], parts[2::2], strict=True) if word == "joined")


def derived_network(spec: str, read: Callable[[str], Network]) -> Network:
    """Return the network that a text names.

    Parameters
    ----------
    spec
        The text, for which `is_derived` is true.
    read
        Maps the texts of the networks that it is made from to these.

    Raises
    ------
    InputError
        If the text is not complete, and as `read` and what is done raise it.
    """
    *_, last = _WORDS.finditer(spec)
    text = spec[last.end() :]
    if last[1] == "without":
        from schedsolve.network.named.holes import without

        return without(read(spec[: last.start()]), text)
    from schedsolve.network.named import clusters

    if last[1] == "cluster":
        return clusters.cluster(read(spec[: last.start()]), text)
    middle = _joining(spec, last.start()) if last[1] == "by" else None
    if middle is None:
        raise InputError(
            f"'{cut(spec, 120)}' is incomplete: two boxes are joined by NODE-joined-OTHER-by-U-V=400Gb"
        )
    other = spec[middle.end() : last.start()]
    return clusters.joined(read(spec[: middle.start()]), read(other), text)


def _joining(spec: str, end: int) -> re.Match[str] | None:
    """Return the word that belongs to the "by" at a place: each "by" before that has one of its own."""
    open_ones = 1
    for word in reversed(list(_WORDS.finditer(spec, 0, end))):
        open_ones += {"by": 1, "joined": -1}.get(word[1], 0)
        if open_ones == 0:
            return word
    return None
