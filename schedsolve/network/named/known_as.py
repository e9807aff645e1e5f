"""Names of machines and networks that others use, and the text that stands for each."""

from __future__ import annotations

import re

OWN_BANDWIDTHS = "with its own bandwidths in a .topo file"
OTHERS = (
    ("ring", "cycle:N"),
    ("mesh", "grid:RxC"),
    ("(full|fully|all)-?(mesh|connected|to-all)|clique", "complete:N"),
    ("tpu.*|trn.*|trainium.*", "torus:AxBxC, with holes torus:4x4x4-without-5"),
    ("dgx-?1.*|ndv2|v100", "dgx1"),
    ("dgx-?2.*|hgx-?2", "dgx2"),
    ("(dgx|hgx)-?a100|ndv4|ndm?-a100-v4", "a100:K"),
    ("(dgx|hgx)-?h100|ndv5", "h100:K"),
    ("(dgx-?|hgx-?)?([bh]200|b300)", f"h100:1, 8 accelerators at one switch, or give it {OWN_BANDWIDTHS}"),
    ("(gb[23]00|nvl).*", "nvl72, several racks nvl72-cluster-2,72x400Gb,rail"),
    ("mi(300|325|35[05]).*", "mi300x, every two of 8 accelerators joined"),
    ("mi2[0-9]*x?", "mi250:K"),
    ("gaudi.*|hls-?[0-9]?", "mi300x, which has the same links: every two of 8 accelerators joined"),
    (
        "dragonfly(\\+|-?plus)|megafly",
        "leaf-spine:L,P,U for a group; give groups and their links in a .topo file",
    ),
    ("slingshot.*", "dragonfly:a,h"),
    ("clos|fattree|folded-clos", "leaf-spine:L,P,U or fat-tree:N"),
    ("(nv)?switch|crossbar", f"h100:1, 8 accelerators at one switch, or give it {OWN_BANDWIDTHS}"),
)
"""Patterns of names, and what to write in their place."""


def known_as(spec: str) -> str:
    """Return the hint for a text that begins with a name of others, "" if it does not."""
    name = spec.partition(":")[0].partition("-cluster-")[0].lower()
    found = next((text for pattern, text in OTHERS if re.fullmatch(pattern, name)), "")
    return f"; here it is {found};" if found else ""
