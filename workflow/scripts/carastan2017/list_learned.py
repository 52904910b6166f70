"""List the learned policies L1 to L4: expressions, LaTeX, lines for a configuration."""

from schedlab.files.io import read_parquet
from schedlab.flow.scripts import run_script
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017.tables.table3 import in_digits, learned_policies


def list_learned(fits: str, csv: str) -> None:
    """Write the policies; none if there were no data to learn from."""
    write_csv(in_digits(learned_policies(read_parquet(fits)), {"rank_error": ".9f"}), csv)


if __name__ == "__main__":
    run_script(list_learned, snakemake)  # noqa: F821
