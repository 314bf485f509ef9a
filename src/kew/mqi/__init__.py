"""The connection manager and the verbs: what programs call, in process."""
