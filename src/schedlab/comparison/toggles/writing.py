"""Output of toggles: numbers, table, sentence and figure."""

from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.toggles.effects import NOTE, ratios, summary
from schedlab.comparison.toggles.figures import draw_toggles
from schedlab.comparison.toggles.rows import STANCES
from schedlab.comparison.toggles.sentences import answer, title
from schedlab.files.io import write_parquet, write_text
from schedlab.report import tables
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import save

DECIMALS = {"kendall": 3, "factor": 3}


def write_toggles(changes: pd.DataFrame, numbers: str, made: Mapping[str, str]) -> None:
    """Write all files of a paper's toggles.

    `changes` is from `schedlab.comparison.toggles.runs.run_toggles`; without rows the files state
    that no data was available. `numbers` is the name of the numbers, such as ``Table 4``. Keys of
    `made`: moved (parquet), csv, md, txt, pdf, png and drawn (csv).
    """
    write_parquet(changes, made["moved"])
    table = summary(changes)
    tables.write_csv(table, made["csv"])
    sentence = answer(table, numbers) or f"{numbers}: no data was available."
    heading = f"Why does it differ? {numbers}, one choice at a time"
    tables.write_markdown(table, made["md"], heading, f"{sentence} {NOTE}", DECIMALS)
    write_text(sentence, made["txt"])
    figure_title = title(table, numbers)
    figure = (
        draw_toggles(table, changes, figure_title, STANCES)
        if figure_title
        else log_not_available(numbers)
    )
    save(figure, made["pdf"], made["png"])
    tables.write_csv(ratios(changes), made["drawn"])
