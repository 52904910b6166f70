"""Record a site's slice on a real Slurm."""

import shutil
import tempfile
from pathlib import Path

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.slurm.accelerated import record_site

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log.messages), tempfile.TemporaryDirectory() as place:
        jobs = read_parquet(job.input.jobs)
        if jobs.empty:
            raise SystemExit("the site is in no folder of the archive: there is nothing to record")
        files = {
            path.name: path.read_text(encoding="utf-8") for path in Path(job.input.files).iterdir()
        }
        record_site(jobs, files, job.params.factor, Path(job.log.slurm), Path(place))
        for name, path in job.output.items():
            found = {"runs": "run.csv", "decisions": "log.txt.gz"}.get(name, f"{name}.csv")
            shutil.copy(Path(place) / found, path)
