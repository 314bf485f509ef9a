"""MQSUB, MQSUBRQ and the end of subscriptions, and the queues that are made for them."""
