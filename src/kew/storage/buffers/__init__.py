"""The buffer manager: pools of 4 KB frames and the writer that empties them."""
