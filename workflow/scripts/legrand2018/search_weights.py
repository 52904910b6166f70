"""Search every period's best weights by xNES, with three features and with six."""

from collections.abc import Mapping, Sequence
from pathlib import Path

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
) -> None:
    """Write a row per period and number of features; none if the log is not available."""
    jobs = read_periods(pieces, numbers)
    divisors = read_parquet(scales)["deviation"].to_numpy()
    part = Path(f"{found}.part")
    frame = search.search_weights(
        *(jobs, processors, divisors, threshold, (3, 6)),
        *(search.SearchSettings(**settings), key, part, code, threads, tau),
    )
    write_parquet(frame, found)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(search_weights, snakemake)  # noqa: F821
