"""Designs: the sparsest networks on which a task takes few rounds, with both sides proven."""
