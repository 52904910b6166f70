"""Export the best expression to Slurm, and try it on the synthetic site with SJF and SAF."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.exports.slurm.export import slurm_export
from schedlab.files.io import read_parquet, write_parquet, write_text
from schedlab.flow.scripts import run_script
from schedlab.queue.dialect_cells import dialect_of
from schedlab.studies.programs.trial import FOUND, SITE_COLUMNS, try_on_site
from schedlab.studies.site.example import ACCOUNTS, CONF, make_example


def export_program(front: str, jobs: int, policy: str, slurm: str, site: str) -> None:
    """Write the policy for `schedlab export-slurm`, its files for Slurm, and its metrics."""
    found = read_parquet(front)
    best = found["expression"].iloc[-1] if len(found) else "s"
    write_text(json.dumps({"policy": best}), policy)
    rows = pd.DataFrame(columns=list(SITE_COLUMNS))
    Path(slurm).mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        made = make_example(Path(folder), jobs=jobs).jobs
        own = dialect_of(f"site+slurm_conf={folder}/{CONF}+accounts={folder}/{ACCOUNTS}").site
        for name, text in slurm_export(best, processors=own.site.machine.processors).files.items():
            write_text(text, Path(slurm, name))
        if len(found):
            estimated = made.assign(estimate=made["requested_time"])
            orders = {"SJF": "spf", "SAF": "saf", FOUND: best}
            rows = try_on_site(orders, own, Jobs.from_frame(estimated).rebased())
    write_parquet(rows, site)


if __name__ == "__main__":
    run_script(export_program, snakemake)  # noqa: F821
