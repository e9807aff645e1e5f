"""Pipelined collectives: the throughput of long messages over links with bandwidths and through switches,
exactly.
"""
