"""Chakra execution traces, one for each rank: written, read and checked."""
