"""What was run, as tables and figures take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.io import read_parquet
from schedlab.papers.souza2020.runs import by_workflow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
