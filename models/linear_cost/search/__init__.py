"""Searches for protocols: call graphs, flows and the packing of arborescences."""
