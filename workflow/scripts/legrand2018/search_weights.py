"""Search every period's best weights by xNES, with three features and with six."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.tuning import periods


def search_weights(
    pieces: str,
    scales: str,
    numbers: Sequence[int],
    processors: int,
    threshold: int | None,
    settings: Mapping,
    key: Sequence[str],
    threads: int,
    found: str,
) -> None:
    """Write a row per period and number of features; none when the log is not at hand."""
    jobs = periods.read_periods(pieces, numbers)
    divisors = read_parquet(scales)["scale"].to_numpy()
    part = Path(f"{found}.part")
    frame = periods.search_weights(
        *(jobs, processors, divisors, threshold, (3, 6)),
        *(periods.SearchSettings(**settings), key, part, threads),
    )
    write_parquet(frame, found)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        search_weights(
            *(job.input.pieces, job.input.scales, job.params.numbers, job.params.processors),
            *(job.params.threshold, job.params.settings, job.params.key),
            *(job.threads, job.output.found),
        )
