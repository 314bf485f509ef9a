"""Analyses on Spark: each is a function from DataFrames of SMF tables to a DataFrame of results."""
