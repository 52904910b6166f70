"""Policies in the files that make a Slurm order its queue by them."""

from schedlab.exports.slurm.export import LONGEST, MEANS, ORIGIN, SlurmExport, slurm_export
from schedlab.exports.slurm.untold import untold

__all__ = ["LONGEST", "MEANS", "ORIGIN", "SlurmExport", "slurm_export", "untold"]
