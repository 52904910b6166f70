"""The kernel of Slurm's two schedulers."""
