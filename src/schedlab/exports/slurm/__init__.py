"""Files that make Slurm order its queue by a policy."""

from schedlab.exports.slurm.export import LONGEST, MEANS, ORIGIN, SlurmExport, slurm_export
from schedlab.exports.slurm.limitations import REPLACES, limitations

__all__ = ["LONGEST", "MEANS", "ORIGIN", "REPLACES", "SlurmExport", "limitations", "slurm_export"]
