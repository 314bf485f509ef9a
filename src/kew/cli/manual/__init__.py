"""The manual, made from the tables: the commands of `kew`, MQSC, the objects, qm.ini, reason codes and messages."""
