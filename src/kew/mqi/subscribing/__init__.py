"""MQSUB, MQSUBRQ, the end of subscriptions, and their managed queues."""
