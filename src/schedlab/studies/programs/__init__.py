"""A search of policies as expressions, judged on logs and windows that it has not seen."""
