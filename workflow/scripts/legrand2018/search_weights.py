"""Search every period's best weights by xNES, with three features and with six."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.legrand2018 import search
from schedlab.studies.legrand2018.periods import read_periods


def search_weights(
    pieces: str,
    scales: str,
    numbers: Sequence[int],
    processors: int,
    threshold: int | None,
    tau: float,
    settings: Mapping,
    key: Sequence[str],
    threads: int,
    code: str,
    found: str,
    variations: Mapping[str, Sequence] | None = None,
) -> None:
    """Write a row per period and number of features; none if the log is not available.

    With `variations`, search once without scaling and once with each value of a setting instead.
    """
    jobs = read_periods(pieces, numbers)
    divisors = read_parquet(scales)["deviation"].to_numpy()
    part = Path(f"{found}.part")

    def found_with(changes: Mapping, scale: np.ndarray = divisors) -> pd.DataFrame:
        return search.search_weights(
            *(jobs, processors, scale, threshold, (3, 6)),
            *(search.SearchSettings(**settings | changes), key, part, code, threads, tau),
        )

    if variations is None:
        frame = found_with({})
    else:
        unscaled = found_with({}, np.ones_like(divisors))
        frames = [unscaled.assign(setting="scaling", changed_to="none")]
        frames += [
            found_with({name: value}).assign(setting=name, changed_to=str(value))
            for name, values in variations.items()
            for value in values
        ]
        frame = pd.concat(frames, ignore_index=True)
    write_parquet(frame, found)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(search_weights, snakemake)  # noqa: F821
