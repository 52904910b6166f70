"""The referee: windows of logs on a real Slurm, and what simulators make of the same windows."""
