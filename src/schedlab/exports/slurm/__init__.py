"""Policies in the files that make a Slurm order its queue by them."""

from schedlab.exports.slurm.export import LONGEST, MEANS, ORIGIN, SlurmExport, slurm_export

__all__ = ["LONGEST", "MEANS", "ORIGIN", "SlurmExport", "slurm_export"]
