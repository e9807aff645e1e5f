"""The transfers of a movement in groups that move together, and what each group waits for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from schedsolve.machines.movement.movement import Link, Movement, Transfer
from schedsolve.network.partition import Partition


@dataclass
class TransferGroup:
    """Transfers that share a batch: in one step, one writes what another sends.

    Attributes
    ----------
    transfers
        In the order of the movement.
    step
        Of the movement.
    behind
        Groups that must be in earlier batches.
    not_before
        Groups that must be in earlier batches or in the same.
    """

    transfers: list[Transfer]
    step: int
    behind: set[int] = field(default_factory=set)
    not_before: set[int] = field(default_factory=set)


def link_loads(group: TransferGroup, links: dict[Link, int], movement: Movement) -> dict[int, float]:
    """Return for how long the transfers of a group occupy each link; new links get the next numbers."""
    found: dict[int, float] = {}
    for transfer in group.transfers:
        for link in transfer.links:
            number = links.setdefault(link, len(links))
            time = len(transfer.chunks) / float(movement.network.bandwidth_of[link])
            found[number] = found.get(number, 0.0) + time
    return found


def transfer_groups(movement: Movement) -> list[TransferGroup]:
    """Return the transfers of a movement in groups, with what each waits for.

    A transfer waits for what brings its sender the chunks. Where chunks are added up, what arrives also waits
    until what was there has been sent, and for what arrived before it; but summands of one sum arrive in any
    order.
    """
    groups: list[TransferGroup] = []
    brought: dict[tuple[int, int], set[int]] = defaultdict(set)
    replaced: dict[tuple[int, int], set[int]] = defaultdict(set)
    sent: dict[tuple[int, int], set[int]] = defaultdict(set)
    for at, step in enumerate(movement.steps):
        parts = _joined(step.transfers) if movement.layout.adds else [[one] for one in step.transfers]
        first = len(groups)
        groups += [TransferGroup(part, at) for part in parts]
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for chunk in transfer.chunks:
                    groups[number].behind |= brought[transfer.sender, chunk]
                    sent[transfer.sender, chunk].add(number)
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for place in ((transfer.receiver, chunk) for chunk in transfer.chunks):
                    if movement.layout.adds:
                        groups[number].not_before |= sent[place] - {number}
                        earlier = replaced if transfer.adds else brought
                        groups[number].behind |= {i for i in earlier[place] if i < first}
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for chunk in transfer.chunks:
                    brought[transfer.receiver, chunk].add(number)
                    if not transfer.adds:
                        replaced[transfer.receiver, chunk].add(number)
    return groups


def _joined(transfers: tuple[Transfer, ...]) -> list[list[Transfer]]:
    """Return the transfers of a step in parts: those that send what others write are with them."""
    senders: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, transfer in enumerate(transfers):
        for chunk in transfer.chunks:
            senders[transfer.sender, chunk].append(number)
    parts = Partition(range(len(transfers)))
    for number, transfer in enumerate(transfers):
        for chunk in transfer.chunks:
            parts.join((number, other) for other in senders[transfer.receiver, chunk])
    found: dict[int, list[Transfer]] = defaultdict(list)
    for number, transfer in enumerate(transfers):
        found[parts.first(number)].append(transfer)
    return list(found.values())
