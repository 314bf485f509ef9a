"""Connections of programs: their open handles, their position in message groups, and the counters of their verbs."""
