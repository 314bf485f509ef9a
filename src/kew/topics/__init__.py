"""Publish/subscribe: topics, subscriptions, and the search for the subscriptions that match a publication."""
