"""The recovery manager: units of work, checkpoints and restart."""
