"""Networks by name: families, machines, clusters, and what is made of them."""
