"""The paper's algorithms, and products and prefixes built from them."""
