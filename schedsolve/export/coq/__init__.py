"""Results as theorems of Coq."""
