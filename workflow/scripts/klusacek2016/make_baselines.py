"""Plan-RS compared with Orig-BF in each of its orders."""

from collections.abc import Mapping

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.baselines import baselines
from schedlab.report import tables

NOTE = (
    "queues: the order of Orig-BF's jobs; marking is that of section 4.3. Waits in s; change: from "
    "Orig-BF to Plan-RS in per cent; low and high: its 95 % interval over the seeds of Plan-RS."
)


def make_baselines(plans: Mapping, others: Mapping, csv: str, md: str) -> None:
    """Write a row per experiment and order; `plans` and `others` are rows, jobs and starts."""
    table = baselines(read_evidence(**plans), read_evidence(**others))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Plan-RS compared with each baseline", NOTE, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_baselines(
            plans={
                "rows": job.params.plans,
                "jobs": job.input.plan_jobs,
                "starts": job.input.plan_starts,
            },
            others={
                "rows": job.params.others,
                "jobs": job.input.other_jobs,
                "starts": job.input.other_starts,
            },
            csv=job.output.csv,
            md=job.output.md,
        )
