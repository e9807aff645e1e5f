"""What the checks of programs for GPUs say alike: races, results, and the links of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from schedsolve.certify.report import CheckReport
from schedsolve.machines.movement.collectives import ROOTED, Layout
from schedsolve.machines.msccl.algorithm import Algorithm
from schedsolve.machines.mscclpp.plan import Plan
from schedsolve.machines.routes import routes_from
from schedsolve.machines.symbolic_run import Outcome
from schedsolve.modelkit.result import value_to_json
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted

Found = TypeVar("Found", Algorithm, Plan)
MOST_LOADS = 8
"""Links whose loads are listed."""


class ProgramReport(CheckReport):
    """What a check found, with the claims that all programs for GPUs make."""

    def settle(self, fault: str | None, claim: str, where: str) -> None:
        """Confirm a claim, or say what is wrong with it if something is."""
        if fault:
            self.fail(f"{where}: {fault}")
        else:
            self.confirm(f"{where}: {claim}")

    def refusals(self, executor: str, reasons: Iterable[str], claim: str) -> None:
        """Say why an executor refuses a program, or claim what it demands."""
        lines = [f"{executor}: {reason}" for reason in reasons]
        for line in lines:
            self.fail(line)
        if not lines:
            self.confirm(f"executor: {claim}")

    def races(self, run: Outcome, where: str) -> None:
        """Say whether two blocks race."""
        if run.races:
            race = f"race: {run.memory.race}" if run.memory.race else None
            self.settle(race, "nothing is read or written while another block may write it", where)
        else:
            self.doubt("that no two blocks race", "the program is too large for it")

    def result(self, layout: Layout, wrong: str | None, where: str, member: str = "gpu") -> None:
        """Say whether every member gets what the collective gives it; `wrong` is what one gets instead."""
        root = f", root {layout.root}" if layout.collective in ROOTED else ""
        self.settle(wrong, f"every {member} gets what the {layout.collective} gives it{root}", where)

    def links(
        self, network: Network | None, sent: Mapping[tuple[int, int], int], chain: int, layout: Layout | None
    ) -> None:
        """Say which links are used, and how much, of a network that was named.

        Parameters
        ----------
        network
            The network; None where none was named.
        sent
            The chunks between gpus.
        chain
            The messages of the longest chain.
        layout
            Of the collective, where it is known.
        """
        if network is None:
            self.note("links: not looked at; name the network with --topology")
            self.note(f"steps: {chain}, the messages of the longest chain")
            return
        self.rest_on(network.assumptions)
        try:
            loads = link_loads(network, sent)
        except InputError as error:
            self.fail(f"links: {error}")
            return
        self.confirm(
            f"links: all {len(sent)} pairs of gpus that talk are joined by a link or through switches"
        )
        self.note(f"steps: {chain}, the messages of the longest chain")
        rounds = {link: Fraction(load, network.bandwidth_of[link]) for link, load in loads.items()}
        busiest = sorted(rounds, key=lambda link: (-rounds[link], link))
        if not busiest:
            return
        most = rounds[busiest[0]]
        self.note(
            f"rounds: {value_to_json(most)}, on the busiest of {counted(len(busiest), 'link')};"
            f" {value_to_json(most / (layout.chunks if layout else 1))} per chunk of a unit"
        )
        for link in busiest[:MOST_LOADS]:
            u, v = (network.labels[end] for end in link)
            self.note(
                f"load {u} to {v}: {counted(loads[link], 'chunk')},"
                f" {counted(value_to_json(rounds[link]), 'round')}"
            )
        if len(busiest) > MOST_LOADS:
            self.note(f"and {len(busiest) - MOST_LOADS} more links, none of them busier")


def at_its_root(found: Found, *, rooted: bool, run: Callable[[Found], Outcome]) -> tuple[Found, Outcome]:
    """Return what a file says with the root for which its result is right, and its run.

    `rooted` says whether the file names the root.
    """
    first, layout = run(found), found.layout
    if layout is None or layout.collective not in ROOTED or rooted:
        return found, first
    for root in range(layout.ranks):
        moved = replace(found, layout=replace(layout, root=root))
        seen = run(moved)
        if seen.memory.wrong() is None:
            return moved, seen
    return found, first


def require_gpus(network: Network | None, gpus: int, what_for: str) -> None:
    """Raise InputError if a network that was named has another number of compute nodes than there are gpus.

    `what_for` says how many gpus there are.
    """
    if network is not None and len(network.compute_nodes) != gpus:
        nodes = len(network.compute_nodes)
        raise InputError(f"{what_for}, and the network has {nodes} compute nodes")


def link_loads(network: Network, sent: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return the chunks that cross each link.

    Parameters
    ----------
    network
        The network.
    sent
        The chunks between gpus.

    Raises
    ------
    InputError
        That names the first two between which there is no way.
    """
    nodes, labels = network.compute_nodes, network.labels
    loads: dict[tuple[int, int], int] = {}
    for (u, v), count in sorted(sent.items()):
        way = routes_from(network, nodes[u]).get(nodes[v])
        if way is None:
            raise InputError(
                f"gpu {u} sends to gpu {v}, and there is no link from {labels[nodes[u]]} to"
                f" {labels[nodes[v]]}, nor a way through switches"
            )
        for link in pairwise(way):
            loads[link] = loads.get(link, 0) + count
    return loads
