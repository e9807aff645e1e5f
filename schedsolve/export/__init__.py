"""What leaves schedsolve: files for other programs, and what comes back from them."""
