"""Traces, a file for every model whose calls carry anything but all that the sender knows."""
