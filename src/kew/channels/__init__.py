"""Channels: how clients and other queue managers reach this one."""
