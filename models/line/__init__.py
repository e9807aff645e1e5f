"""The line model: in a round, calls along edge-disjoint paths."""
