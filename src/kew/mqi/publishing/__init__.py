"""MQPUT to a topic: the topic that is opened, the publication, and its copies."""
