"""Analyses on Spark: each a function from DataFrames of SMF tables to a DataFrame of answers."""
