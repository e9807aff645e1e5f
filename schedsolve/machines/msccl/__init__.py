"""MSCCL XML algorithms as they are read and judged.

What a file says, whether the executor takes it, and a symbolic replay that needs no accelerators.
"""
