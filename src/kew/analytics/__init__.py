"""Statistics and accounting turned into answers: decoding, tables, reports and analyses, in process or on Spark."""
