# Completion of kew for fish; what is completed, kew itself says.
kew completion fish | source
