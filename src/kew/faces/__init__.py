"""What the two Python APIs for MQ programs, kew.ibmmq and kew.pymqi, have in common."""
