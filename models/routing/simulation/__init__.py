"""Monte Carlo runs of random routing, and the figures of the paper."""
