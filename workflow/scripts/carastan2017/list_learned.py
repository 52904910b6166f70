"""The learned policies L1 to L4: expressions to run, LaTeX, lines for a configuration."""

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.carastan2017.tables.learned import in_digits, learned_policies
from schedlab.report.tables import write_csv


def list_learned(fits: str, csv: str) -> None:
    """Write the policies; none when there is nothing that they could be learned from."""
    write_csv(in_digits(learned_policies(read_parquet(fits)), {"rank_error": ".9f"}), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        list_learned(job.input.fits, job.output.csv)
