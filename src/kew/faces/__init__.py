"""The shared part of the two Python APIs for MQ programs, kew.ibmmq and kew.pymqi."""
