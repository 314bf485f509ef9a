"""The structures of SMF records, each declared once: the writer, the readers and the table schemas derive from them."""
