"""Results as folders that verify themselves."""
