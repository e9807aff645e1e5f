"""Schedules for the nodes of a network, by the users' names for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schedsolve.errors import InputError
from schedsolve.network.graph import Network


class LabeledSchedules(Mapping[Any, Any]):
    """Schedules by the users' nodes, each made when it is asked for."""

    def __init__(self, indexed: Mapping[int, Any], network: Network) -> None:
        self._indexed, self._network = indexed, network

    def __getitem__(self, node: Any) -> Any:
        try:
            found = self._indexed[self._network.node(node)]
        except InputError as error:
            raise KeyError(node) from error
        return found.labeled(self._network.nodes)

    def __iter__(self) -> Iterator[Any]:
        return (self._network.nodes[v] for v in self._indexed)

    def __len__(self) -> int:
        return len(self._indexed)

    def __repr__(self) -> str:
        return f"<Schedules of {len(self)} nodes>"
