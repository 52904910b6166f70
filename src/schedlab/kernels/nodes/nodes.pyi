"""Signatures of nodes.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

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
) -> tuple[Floats, Floats, Places, npt.NDArray[np.uint8], tuple[np.ndarray, ...] | None]: ...
