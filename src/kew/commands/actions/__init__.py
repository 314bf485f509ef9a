"""The execution of commands: from a parsed Command to its effect and its reply."""
