"""MSCCL XML algorithms as they are read and judged: what a file says, whether the executor takes it, and a
symbolic replay that needs no accelerators.
"""
