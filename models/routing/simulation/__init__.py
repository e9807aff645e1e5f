"""Monte Carlo runs of random routing."""
