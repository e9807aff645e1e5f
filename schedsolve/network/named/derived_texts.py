"""How the texts of networks made from others are written; `schedsolve.network.named.derived` reads them."""

from __future__ import annotations

WITHOUT, CLUSTER, JOINED, BY = "-without-", "-cluster-", "-joined-", "-by-"
"""What stands behind a network and before what is made of it."""
FABRICS = "switch, rail, rail:S,U or leaf-spine:L,S,U"
FORMS = (
    (f"NETWORK{WITHOUT}5,0-1", "any network without nodes and links; or --without 5,0-1"),
    (f"NETWORK{CLUSTER}N,KxSPEED,FABRIC", f"N boxes with K network cards each; FABRIC: {FABRICS}"),
    (f"NETWORK{JOINED}OTHER{BY}U-V=SPEED", "two boxes, joined by links"),
)
"""The texts of networks made from others, with a description each."""
