"""Every structure of the records, declared once: the writer, the readers and the table schemas derive from these."""
