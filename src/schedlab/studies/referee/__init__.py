"""The referee: compare simulators with a real Slurm on the same windows of logs."""
