"""The formats of networks, and the dumps of machines."""
