"""Publish/subscribe: topics, subscriptions, and the subscriptions that a publication finds."""
