"""What the program of a bundle is made of, a file for every model."""
