"""The buffer manager: pools of 4 KB frames and the writer of changed pages."""
