"""Learning how long a queue makes one wait, and submitting what comes next in time."""
