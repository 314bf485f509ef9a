"""Delivery of one message: its name is resolved, and its queue gets it, with trigger message, copies and reports."""
