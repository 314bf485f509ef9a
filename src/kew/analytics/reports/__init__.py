"""Reports on SMF data: tables of labels and formulas, computed in process or on Spark, shown in four ways."""
