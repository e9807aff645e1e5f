"""The verb `export`."""
