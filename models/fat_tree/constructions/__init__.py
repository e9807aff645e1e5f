"""The paper's algorithms, and products and prefixes made of them."""
