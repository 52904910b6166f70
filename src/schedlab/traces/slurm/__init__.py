"""Readers of the output of Slurm's commands: sacct, squeue and sinfo."""
