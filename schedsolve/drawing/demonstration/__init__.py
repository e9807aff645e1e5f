"""Programs that show what schedsolve does."""
