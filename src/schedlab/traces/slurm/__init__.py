"""What Slurm's commands print: sacct, squeue and sinfo."""
