"""Search every period's best weights again with other settings, one changed at a time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.legrand2018.periods import read_periods
from schedlab.studies.legrand2018.search import SearchSettings, search_weights


def vary_search(
    pieces: str,
    scales: str,
    numbers: Sequence[int],
    processors: int,
    threshold: int | None,
    tau: float,
    settings: Mapping,
    variations: Mapping[str, Sequence],
    key: Sequence[str],
    threads: int,
    code: str,
    found: str,
) -> None:
    """Write a row per variation, period and number of features."""
    jobs = read_periods(pieces, numbers)
    divisors = read_parquet(scales)["deviation"].to_numpy()
    changes = [("scaling", "none", dict(settings), np.ones_like(divisors))]
    changes += [
        (name, str(value), {**settings, name: value}, divisors)
        for name, values in variations.items()
        for value in values
    ]
    part, frames = Path(f"{found}.part"), []
    for name, value, changed, scale in changes:
        wanted = SearchSettings(**changed)
        same = (jobs, processors, scale, threshold, (3, 6), wanted, key, part, code, threads, tau)
        frames.append(search_weights(*same).assign(setting=name, changed_to=value))
    write_parquet(pd.concat(frames, ignore_index=True), found)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(vary_search, snakemake)  # noqa: F821
