"""The report of the laboratory: a Spark job over results, and the pages made of it."""
