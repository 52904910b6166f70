"""Draw windows of experiments of Table 4 as interactive pages."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.studies.carastan2017.figures.windows import explore_window


def explore_windows(
    pieces: Sequence[str],
    metrics: Sequence[str],
    settings: Sequence[Mapping],
    labels: Sequence[str],
    html: Sequence[str],
) -> None:
    """Write a page for each experiment with FCFS and its best policy; it names its window."""
    for place, path in enumerate(html):
        chosen = [("piece", "in", settings[place]["pieces"])]
        frame = read_parquet(pieces[place], filters=chosen)
        explore_window(frame, read_parquet(metrics[place]), settings[place], labels[place], path)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        explore_windows(
            pieces=job.input.pieces,
            metrics=job.input.metrics,
            settings=job.params.settings,
            labels=job.params.labels,
            html=job.output.html,
        )
