"""SMF dumps as tables: one for each structure, one of records and one of unreadable input."""
