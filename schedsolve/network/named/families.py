"""The named families of networks, such as `path:8` or `random-tree:20,7`.

The builder of a family raises InputError with the one condition that the parameters violate.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction

from schedsolve.network.all_pairs import AllPairs
from schedsolve.network.graph import Edges, Network
from schedsolve.network.named import classic_graphs as classic
from schedsolve.network.named import machines
from schedsolve.network.named.derived import derived_network, is_derived, originals
from schedsolve.network.named.random_graphs import random_regular, random_tree, small_world
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import exact_number
from schedsolve.runtime.limits.budget import OverBudgetError

MOST_PARAMETERS = 26
"""The most parameters of a family that takes any number of them."""


@dataclass(frozen=True)
class Family:
    """A named family of networks.

    Attributes
    ----------
    form
        How a member is written, with its parameters by name: "grid:RxC".
    description
        One line: the ranges of the parameters, and the numbering of the nodes.
    builder
        Maps the parameters, integers (the exact one a fraction; for graph6 the text), to the node count and
        edges, or the network.
    least
        The least number of parameters if it varies, else 0.
    exact
        The parameter that is an exact number, a decimal or a fraction, if there is one.
    """

    form: str
    description: str
    builder: Callable[..., tuple[int, Edges] | Network]
    least: int = 0
    exact: str = ""

    @property
    def name(self) -> str:
        """The text before the colon."""
        return self.form.partition(":")[0]

    @property
    def seeded(self) -> bool:
        """Whether the last parameter is a random seed, 0 if omitted."""
        return self.form.endswith("[,SEED]")


def families() -> tuple[Family, ...]:
    """Return every family in the order of the listing."""
    return tuple(_FAMILIES.values())


def is_family(spec: str) -> bool:
    """Return whether the text before the first colon of `spec`, or all of it, is the name of a family.

    Of a text made from others (`schedsolve.network.named.derived`), that of all of these.
    """
    return all(name.partition(":")[0] in _FAMILIES for name in originals(spec))


def family_network(spec: str) -> Network:
    """Return the network that a text such as "grid:4x4" names, with the node numbers as labels.

    With holes, "grid:4x4-without-5", the other nodes keep their labels.

    Raises
    ------
    InputError
        If the family is unknown, if parameters are missing, superfluous, not integers or out of range, if
        the network has more than SIZE_LIMIT nodes or edges, or if a hole is not valid.
    """
    if is_derived(spec):
        return derived_network(spec, family_network)
    name, colon, text = spec.partition(":")
    family = _FAMILIES.get(name)
    if family is None:
        raise InputError(f"'{name}' is no family of networks; the families are {', '.join(_FAMILIES)}")
    try:
        with _no_garbage():
            built = family.builder(*_parameters(family, colon + text))
            return replace(built, name=spec) if isinstance(built, Network) else _named(spec, *built)
    except OverBudgetError:
        raise
    except InputError as error:
        raise InputError(
            f"'{spec}' is refused: {error}; the form is {family.form}: {family.description}"
        ) from None


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Disable garbage collection in this context; it takes most of the time for millions of new edges."""
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def _named(spec: str, node_count: int, edges: Edges) -> Network:
    return Network(node_count, edges if isinstance(edges, AllPairs) else tuple(edges), name=spec)


def _parameters(family: Family, text: str) -> Sequence[int | Fraction | str]:
    """Return the parameters in `text`, which starts with the colon or is empty."""
    if family.name == "graph6":
        return [text[1:]]
    form = family.form.partition(":")[2]
    separator = "x" if "x" in form else ","
    names = [name.strip("[].") for name in form.split(separator)] if form else []
    if not names and text:
        raise InputError("it takes no parameter")
    parts = text[1:].split(separator) if names else []
    least = family.least or len(names) - family.seeded
    most = MOST_PARAMETERS if family.least else len(names)
    if parts == [""] or not least <= len(parts) <= most:
        given = 0 if parts == [""] else len(parts)
        wanted = " and ".join(names[:least]) + (" and more" if family.least else "")
        raise InputError(f"it takes {wanted}{' and optionally SEED' * family.seeded}; {given} given")
    exact = names.index(family.exact) if family.exact else None
    return [_fraction(part) if i == exact else _integer(part) for i, part in enumerate(parts)]


def _integer(text: str) -> int:
    if not re.fullmatch("-?[0-9]+", text):
        raise InputError(f"'{text}' is not an integer")
    if len(text) > 18:
        raise InputError("a parameter has more than 18 digits")
    return int(text)


def _fraction(text: str) -> Fraction:
    number = exact_number(text)
    if number is None:
        raise InputError(f"'{text}' is no whole number, decimal or fraction")
    return number


_RECORDS = (
    Family("path:N", "the path 0-1-...-(N-1), N >= 1", classic.path),
    Family("cycle:N", "the cycle 0-1-...-(N-1)-0, N >= 3", classic.cycle),
    Family("complete:N", "every two of N >= 1 nodes joined", classic.complete),
    Family("star:N", "N >= 1 nodes, centre 0", classic.star),
    Family(
        "tree:K,H",
        "the complete K-ary tree of height H, K >= 1, H >= 0; root 0, numbered level by level",
        classic.tree,
    ),
    Family("grid:RxC", "R >= 1 rows and C >= 1 columns; node r*C+c", classic.grid),
    Family(
        "torus:AxBxC",
        "any number of sides of at least 3, closed to cycles; the last coordinate counts fastest",
        machines.torus,
        least=1,
    ),
    Family(
        "hypercube:D", "2^D nodes, D >= 0; node = bit vector, neighbours differ in one bit", classic.hypercube
    ),
    Family(
        "ccc:D",
        "cube-connected cycles, D >= 3; node D*x+i is position i at cube address x",
        classic.cube_connected_cycles,
    ),
    Family("butterfly:D", "the wrapped butterfly, D >= 3; node D*x+i is level i in row x", classic.butterfly),
    Family(
        "debruijn:D",
        "2^D nodes, D >= 1; x is joined to 2x and 2x+1 modulo 2^D, undirected",
        classic.de_bruijn,
    ),
    Family(
        "shuffle-exchange:D",
        "2^D nodes, D >= 1; x is joined to x xor 1 and to x rotated",
        classic.shuffle_exchange,
    ),
    Family(
        "harary:K,N", "K-connected on a circle of N nodes with the fewest edges, 1 <= K < N", classic.harary
    ),
    Family(
        "knodel:DELTA,N",
        "N even, 1 <= DELTA <= log2 N; j is joined to N/2 + (j+2^k-1 mod N/2), k < DELTA",
        classic.knodel,
    ),
    Family("petersen", "the Petersen graph; outer cycle 0..4, node v joined to v+5", classic.petersen),
    Family("random-regular:K,N[,SEED]", "connected, every degree K < N, K*N even; SEED >= 0", random_regular),
    Family("random-tree:N[,SEED]", "a uniformly random labelled tree, N >= 1; SEED >= 0", random_tree),
    Family(
        "small-world:K,N,P[,SEED]",
        "connected Watts-Strogatz: a ring of N nodes, each joined to the K nearest (even, K < N), the far end"
        " of every edge moved with probability P, a decimal or fraction from 0 to 1; SEED >= 0",
        small_world,
        exact="P",
    ),
    Family(
        "fat-tree:N",
        "N = 2^m >= 2 processors 0..N-1, leaves of a binary tree; switches N..2N-2, root last",
        classic.fat_tree,
    ),
    Family(
        "circulant:N,J1,J2..",
        "N >= 2 nodes on a circle, v joined to v+J for every jump, 1 <= J <= N/2",
        machines.circulant,
        least=2,
    ),
    Family(
        "kautz:d,D",
        "arcs: words of D+1 letters 0..d without equal neighbours in order, w to w[1:]+a; d >= 1, D >= 0",
        machines.kautz,
    ),
    Family(
        "genkautz:d,n",
        "arcs: u to (-d*u-a) mod n, a = 1..d, no loops, parallel arcs added up; d >= 1, n >= 2",
        machines.generalised_kautz,
    ),
    Family(
        "dragonfly:a,h",
        "routers: a*h+1 complete groups of a, h links a router to other groups; router i of group G is G*a+i",
        machines.dragonfly,
    ),
    Family(
        "leaf-spine:L,P,U",
        "L leaf switches with P hosts each at 1, every leaf at U to a spine switch; hosts, leaves, spine",
        machines.leaf_spine,
    ),
    Family(
        "jellyfish:S,P,H[,SEED]",
        "S switches with P ports, H >= 1 to hosts and P-H to other switches at random; hosts, switches;"
        " SEED >= 0",
        machines.jellyfish,
    ),
    Family("dgx1", "NVIDIA DGX-1: 8 accelerators, links of 2 and 1", machines.dgx1),
    Family(
        "dgx2",
        "NVIDIA DGX-2: two boards of 8 accelerators, each with 1 to the board's 6 switches, 8 between the"
        " boards' switches; switches last",
        machines.dgx2,
    ),
    Family(
        "nvl72",
        "NVIDIA NVL72: 72 accelerators, each with 1 to each of 18 switches; switches last",
        machines.nvl72,
    ),
    Family("amd4", "four AMD accelerators in a ring", machines.amd4),
    Family(
        "a100:K",
        "K boxes of 8 at 300 to the box's switch, for K >= 2 at 25 to two network switches; switches last",
        machines.a100,
    ),
    Family(
        "h100:K",
        "K boxes of 8 at 450 to the box's switch, for K >= 2 at 50 to one network switch; switches last",
        machines.h100,
    ),
    Family(
        "mi250:K",
        "K boxes of 16 AMD accelerators at 200, 100 and 50; for K >= 2 at 16 to a network switch, last",
        machines.mi250,
    ),
    Family("mi300x", "AMD MI300X: every two of 8 accelerators joined by 1", machines.mi300x),
    Family("graph6:STRING", "the graph that the graph6 string encodes", classic.graph6),
)
_FAMILIES = {family.name: family for family in _RECORDS}
