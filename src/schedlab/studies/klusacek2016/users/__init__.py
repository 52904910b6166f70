"""Simulated users that react to their waits: their records, behavior, fairness and complaints."""
