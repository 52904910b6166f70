"""What was run, as tables and figures take it, and how sure a mean of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.intervals import mean_interval
from schedlab.io import read_parquet
from schedlab.papers.souza2020.runs import by_workflow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def block_of(count: int) -> int:
    """Return how many neighbouring instants are resampled together: the cube root, rounded up.

    Parameters
    ----------
    count : int
        Instants. A crowded queue stays so for days, and so do instants that share them.

    References
    ----------
    Hall, Horowitz and Jing, On blocking rules for the bootstrap with dependent data (1995).
    """
    # no float says that the cube root of 125 is 5
    return next(length for length in range(1, count + 1) if length**3 >= count)


def over_instants(values: np.ndarray, stream: np.random.Generator) -> tuple[float, float]:
    """Return the 95 % interval of a mean over instants whose days may overlap.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        One an instant, in their order; of one alone nothing is known.
    stream : Generator
        For the draws, of blocks as `block_of` says.
    """
    return mean_interval(values, stream, block_of(len(values)))


def read_stages(paths: Sequence[str]) -> pd.DataFrame:
    """Read the stages of some experiments."""
    return pd.concat([read_parquet(path) for path in paths], ignore_index=True)


def read_runs(paths: Sequence[str]) -> pd.DataFrame:
    """Read the stages of some experiments, and sum them up to workflows."""
    return by_workflow(read_stages(paths))


def systems_of(rows: Sequence[Mapping]) -> dict[int, str]:
    """Return the name of the system of each scale.

    Parameters
    ----------
    rows : sequence of mapping
        Cells of experiments, with system and cores.
    """
    return {int(scale): row["system"] for row in rows for scale in row["cores"]}


def background_of(rows: Sequence[Mapping]) -> str:
    """Say in a sentence whose jobs everybody else submits.

    Parameters
    ----------
    rows : sequence of mapping
        Cells of experiments, with source and is_model.
    """
    sources = ", ".join(dict.fromkeys(row["source"] for row in rows))
    if any(row["is_model"] for row in rows):
        return f"Background: the model {sources}, no log."
    return f"Background: {sources}."
