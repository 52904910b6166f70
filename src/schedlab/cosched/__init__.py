"""Co-scheduling: two jobs on a node, and what it does to both (kellari2025)."""
