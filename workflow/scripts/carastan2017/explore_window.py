"""A window of an experiment of Table 4 as a page that is panned and zoomed."""

from collections.abc import Mapping

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.windows import explore_window as write_page


def explore_window(pieces: str, metrics: str, settings: Mapping, label: str, html: str) -> None:
    """Write the page of FCFS and the experiment's best policy; which window is shown is said."""
    frame = read_parquet(pieces, filters=[("piece", "in", settings["pieces"])])
    write_page(frame, read_parquet(metrics), settings, label, html)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        explore_window(
            pieces=job.input.pieces,
            metrics=job.input.metrics,
            settings=job.params.settings,
            label=job.params.label,
            html=job.output.html,
        )
