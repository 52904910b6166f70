"""A real Slurm: start it on this machine, submit jobs to it, and replay logs on it."""
