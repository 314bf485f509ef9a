"""Dead letters: reads them, moves each in a unit of work of its own, and handles them by a table of rules."""
