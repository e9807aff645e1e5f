"""MSCCL XML algorithms as they are read and judged.

What a file says, whether the executor takes it, and a symbolic replay that needs no accelerators.
"""

NOT_WRITTEN = (
    "MSCCL XML is checked, and no longer written: write a plan for MSCCL++ with --for mscclpp (in Python,"
    ' target="mscclpp")'
)
"""What is said to whoever asks for such a file."""
