"""How the networks of designs are decided, a file for every model that has designs."""
