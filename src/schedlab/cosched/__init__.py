"""Co-scheduling: jobs that share nodes (kellari2025)."""
