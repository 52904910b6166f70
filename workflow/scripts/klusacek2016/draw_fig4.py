"""Figure 4: what accepted moves changed over time."""

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.klusacek2016.figures.searching import draw_moves
from schedlab.report import tables


def draw_fig4(moves: str, source: str, label: str, pdf: str, png: str, csv: str) -> None:
    """Draw the moves of one run, and write their times and changes."""
    kept = read_parquet(moves)[["time", "wait", "slowdown", "fairness"]]
    title = f"{source}, {label}, one seed: {len(kept):,} accepted moves"
    save(draw_moves(kept, title) if len(kept) else not_at_hand(source), pdf, png)
    tables.write_csv(kept.astype({"time": "int64"}), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig4(
            moves=job.input.moves,
            source=job.params.row["source"],
            label=job.params.row["label"],
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
