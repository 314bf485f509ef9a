"""MQPUT: the request, its target (a local queue, a remote queue or a list) and segmentation."""
