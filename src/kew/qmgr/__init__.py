"""The running queue manager: its files, its parts put together, its start and its end."""
