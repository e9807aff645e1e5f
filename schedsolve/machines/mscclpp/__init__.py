"""Execution plans of MSCCL++ written, read, and judged by a symbolic replay that needs no accelerators."""
