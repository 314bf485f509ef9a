"""Turns statistics and accounting data into tables, reports and analyses, in process or on Spark."""
