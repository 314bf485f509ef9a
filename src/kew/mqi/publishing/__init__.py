"""MQPUT to a topic: opening the topic, the publication, and its copies for subscriptions."""
