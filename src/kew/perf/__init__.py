"""The performance laboratory: workloads of the MQ performance reports, measured, kept, compared and reported."""
