"""Mixed policies on weeks and months: features, spaces of weights, search, online learners."""
