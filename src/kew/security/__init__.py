"""Security: users and their passwords, channel authentication records, authority records."""
