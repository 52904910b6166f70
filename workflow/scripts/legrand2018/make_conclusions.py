"""Which conclusions of Tables 3 to 6 hang on how they were run, and not as the text reads."""

from collections.abc import Sequence

from schedlab.files.logs import logged
from schedlab.report import columns, tables
from schedlab.studies.legrand2018.tables import conclusions, stacked

NOTE = (
    "As run: weeks of the log's own clock, jobs that cross a week kept, those that ran over their "
    "estimate dropped, bound 60 s, no threshold one of a week. Text: weeks of Unix time, crossing "
    "jobs removed, estimates raised to the run time, bound 10 s. fcfs_over_saf: the sum of FCFS "
    "over that of SAF; kendall: Kendall's tau between the two orders of the policies."
)


def make_conclusions(run: Sequence[str], text: Sequence[str], csv: str, md: str) -> None:
    """Write a row per trace and threshold; `run` and `text` are the tables of the same traces."""
    pairs = [
        conclusions(*(columns.read_ours(path, "policy") for path in pair))
        for pair in zip(run, text, strict=True)
    ]
    table = stacked(pairs)
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "As it was run, and as the text reads", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_conclusions(
            run=job.input.run,
            text=job.input.text,
            csv=job.output.csv,
            md=job.output.md,
        )
