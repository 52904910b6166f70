"""A real Slurm: brought up on this machine, asked for jobs, and given logs to replay."""
