"""Signatures of slurm.pyx, which documents them."""

from schedlab.kernels.arrays import Ints, Places

def run_slurm(
    submit: Ints,
    holds: Ints,
    limit: Ints,
    procs: Ints,
    processors: int,
    job: Places,
    rank: Places,
    easy: bool,
    reserved: int,
    interval: int,
    resolution: int,
    window: int,
    tested: int,
    close: int,
    phase: int,
) -> Ints: ...
