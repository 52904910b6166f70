"""Which choice moves the numbers of each paper how far: table, sentence and figure."""

from collections.abc import Mapping, Sequence

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.figures.toggles import draw_toggles
from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.report import tables
from schedlab.toggles.movement import NOTE, ratios, summary
from schedlab.toggles.rows import SAID
from schedlab.toggles.sentences import answer, headline

DECIMALS = {"kendall": 3, "factor": 3}


def write_toggles(moved: str, numbers: str, made: Mapping[str, str]) -> None:
    """Write what was found of one paper; `numbers` says which of its numbers were moved."""
    frame = read_parquet(moved)
    table = summary(frame)
    tables.write_csv(table, made["csv"])
    sentence = answer(table, numbers) or f"{numbers}: nothing was at hand to try."
    title = f"Why does it differ? {numbers}, one choice at a time"
    tables.write_markdown(table, made["md"], title, f"{sentence} {NOTE}", DECIMALS)
    write_text(sentence, made["txt"])
    found = headline(table, numbers)
    drawn = (
        draw_toggles(table, frame, found[:1].upper() + found[1:], SAID)
        if found
        else not_at_hand(numbers)
    )
    save(drawn, made["pdf"], made["png"])
    tables.write_csv(ratios(frame), made["drawn"])


def write_all(
    moved: Sequence[str], numbers: Sequence[str], made: Mapping[str, Sequence[str]]
) -> None:
    """Write what was found of every paper; `made` has the files of all of them by kind."""
    for place, (path, words) in enumerate(zip(moved, numbers, strict=True)):
        write_toggles(path, words, {kind: paths[place] for kind, paths in made.items()})


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        write_all(
            moved=job.input.moved,
            numbers=job.params.numbers,
            made={kind: job.output[kind] for kind in job.output.keys()},  # noqa: SIM118
        )
