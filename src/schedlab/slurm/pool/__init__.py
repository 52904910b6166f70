"""A pool of workers in allocations of Slurm, which run the tasks of a workflow's stages."""
