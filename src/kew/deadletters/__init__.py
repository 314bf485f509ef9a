"""Dead letters: reading them, moving them one unit of work each, and a handler that works by a table of rules."""
