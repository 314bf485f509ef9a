"""Connections of programs: open handles, the place in a group, and what is counted of the verbs."""
