"""Classes of networks: sets up to isomorphism, their generation, canonical forms and invariants."""
