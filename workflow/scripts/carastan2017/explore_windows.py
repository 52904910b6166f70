"""Draw windows of experiments of Table 4 as interactive pages."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.flow.scripts import run_script
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
    run_script(explore_windows, snakemake)  # noqa: F821
