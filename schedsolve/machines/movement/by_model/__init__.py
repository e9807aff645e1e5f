"""Movements, a file for every model whose schedules are collectives."""
