"""Search every period's best weights by xNES, with three features and with six."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.resume import digest_of
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
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        search_weights(
            pieces=job.input.pieces,
            scales=job.input.scales,
            numbers=job.params.numbers,
            processors=job.params.processors,
            threshold=job.params.threshold,
            tau=job.params.tau,
            settings=job.params.settings,
            key=job.params.key,
            threads=job.threads,
            code=digest_of([job.params.environment, job.params.code]).hex(),
            found=job.output.found,
        )
