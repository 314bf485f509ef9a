"""Publish/subscribe: topics, who subscribes to them, and what a publication finds."""
