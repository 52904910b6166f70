"""The papers, a package each with the same names everywhere; none knows another."""
