"""The bandwidths in GB/s that NCCL and RCCL compute with, by what a topology's file says of a link.

Sources: `src/graph/topo.h` and `topo.cc` of NCCL (NVLink by compute capability, PCI, ports, processors:
`ncclTopoNVLinkBw`, `ncclTopoAddPci`, `ncclTopoAddNet`, `ncclTopoGetInterCpuBw`) and of RCCL (xGMI:
`ncclTopoXGMISpeed`). Each function also returns whether the file says what the number depends on; where it
does not, the number is the one that NCCL falls back on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from schedsolve.runtime.files.number_reader import whole_number

LANE = {
    "2.5": Fraction(3, 16), "5": Fraction(3, 8), "8": Fraction(3, 4), "16": Fraction(3, 2), "32": Fraction(3),
    "64": Fraction(6),
}  # fmt: skip
"""GB/s of a PCI lane by its GT/s: 12 for gen3 x16, which is what is left of 15.75 by measurement."""
NVLINK = ((100, "40.1"), (90, "20.6"), (87, "20"), (86, "12"), (70, "20"), (60, "18"))
"""GB/s of an NVLink from a compute capability on."""
XGMI = {"906": 24, "908": 24, "gfx906": 24, "gfx908": 24, "910": 36, "gfx90a": 36, "940": 48, "941": 48}
"""GB/s of an xGMI link by architecture; gfx94x has 48."""
INTEL = ((0xCF, 40), (0x8F, 22), (0x55, 10))
"""GB/s between two processors of Intel's family 6 from a model on."""


def of_pci(speed: str, lanes: int) -> tuple[Fraction, bool]:
    """Return the bandwidth of a PCI link of a speed such as "16.0 GT/s PCIe"."""
    found = re.fullmatch(r"\s*([0-9]{1,2}(?:\.5)?)(?:\.0)?\s*GT/s(?:\s+PCIe)?\s*", speed)
    lane = LANE.get(found[1]) if found else None
    return (LANE["8"] if lane is None else lane) * lanes, lane is not None


def of_port(megabits: int) -> Fraction:
    """Return the bandwidth of a network port; 10 Gb/s where its speed is unknown (0)."""
    return Fraction(megabits or 10_000, 8000)


def of_direct_link(kind: str, gpu: Mapping[str, str]) -> tuple[Fraction, bool]:
    """Return the bandwidth of an NVLink or xGMI link of an accelerator with these attributes."""
    if kind == "xgmi":
        name = gpu.get("gcn", "").partition(":")[0]
        known = 48 if name.startswith("gfx94") else XGMI.get(name)
        return Fraction(known or 24), known is not None
    capability = _number(gpu, "sm")
    known_speed = next((speed for least, speed in NVLINK if capability >= least), None)
    return Fraction(known_speed or "20"), known_speed is not None


def between_processors(cpu: Mapping[str, str]) -> tuple[Fraction, bool]:
    """Return the bandwidth between a processor with these attributes and another of its host."""
    by_architecture = {"ppc64": 32, "arm64": 6}.get(cpu.get("arch", ""))
    if by_architecture is not None:
        return Fraction(by_architecture), True
    vendor = cpu.get("vendor", "") if cpu.get("arch") == "x86_64" else ""
    family, model = _number(cpu, "familyid"), _number(cpu, "modelid")
    if vendor == "AuthenticAMD":
        return Fraction(16), True
    if vendor == "GenuineIntel":
        known = next((speed for least, speed in INTEL if family == 6 and model >= least), 6)
        return Fraction(known), True
    if vendor in ("CentaurHauls", "  Shanghai  "):
        return Fraction(9 if (family, model) == (7, 0x5B) else 6), True
    return Fraction(5000), False


def _number(attributes: Mapping[str, str], name: str) -> int:
    """Return an attribute that is a whole number, or 0."""
    return whole_number(attributes.get(name, "0").strip(), 0, 10**6, text=True) or 0
