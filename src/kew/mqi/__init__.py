"""The connection manager and the verbs that programs call."""
