"""The kernel of a site's Slurm: nodes, partitions, priorities, limits."""
