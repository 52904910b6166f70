"""Signatures of nodes.pyx, which documents them."""

from typing import Any

import numpy as np

from schedlab.kernels.arrays import Bytes, Floats, Ints, Places

KINDS: dict[str, int]
MODES: dict[str, int]
BACKFILLS: dict[str | None, int]

def run_nodes(
    submit: Floats,
    time: Floats,
    wall: Floats,
    procs: Ints,
    app: Places,
    whole: Places,
    shared: Places,
    machine: Any,
    speeds: Any,
    groups: Any,
    ranks: Any,
    scheduler: Any,
    own: Any,
    keep: bool,
) -> tuple[Floats, Floats, Places, Bytes, tuple[np.ndarray, ...] | None]: ...
