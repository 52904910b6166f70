"""Write what the repository keeps of a slice's recordings, and complete their folder."""

import shutil
from pathlib import Path

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.slurm.site_recording import write_submissions
from schedlab.studies.referee.slice_kept import passes_in, recorded_in

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        jobs = read_parquet(job.input.jobs)
        for path in map(Path, job.output.files):
            if path.name == "submissions.csv":
                write_submissions(jobs, path)
            else:
                shutil.copy(Path(job.input.files) / path.name, path)
        recorded_in(jobs, job.input.runs).to_csv(job.output.recorded, sep="\t", index=False)
        passes_in(job.input.decisions).to_csv(job.output.passes, sep="\t", index=False)
