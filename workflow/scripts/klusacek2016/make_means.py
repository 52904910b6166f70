"""Means over whole logs, and what the text says in numbers beside them."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.means import compare_text, means
from schedlab.report import comparison, tables

NOTE = (
    "Waits in s; _sd: standard deviation over jobs, of NUWT over users; complaining: users who "
    "complain; size: sum of wait over acceptable wait of all complaints; low and high: 95 % "
    "interval of the mean over the seeds."
)


def make_means(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    shown: Mapping[str, str],
    printed: str,
    outputs: Mapping[str, str],
) -> None:
    """Write both tables; `shown` names the experiment that stands for each kind of users."""
    logs = read_evidence(rows, jobs, starts)
    of = {one.row["experiment"]: one for one in logs}
    tables.write_csv(means(logs), outputs["means_csv"])
    tables.write_markdown(means(logs), outputs["means_md"], "Whole logs", NOTE, 3)
    text = compare_text(
        comparison.read_published(printed, "text"), of[shown["recorded"]], of[shown["reacting"]]
    )
    tables.write_csv(text, outputs["text_comparison_csv"])
    note = "The paper's logs are not to be had; ours are of another log of the same site."
    tables.write_markdown(text, outputs["text_comparison_md"], "Numbers of the text", note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_means(
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            shown=job.params.shown,
            printed=job.input.published,
            outputs=dict(job.output.items()),
        )
