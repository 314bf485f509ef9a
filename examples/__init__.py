"""Programs that show what Kew does."""
