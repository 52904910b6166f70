"""Make tables and figure beyond the paper: Random Search compared with other searches."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Data, Table
from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.figures.beyond import draw_searches
from schedlab.studies.klusacek2016.tables import budgets
from schedlab.studies.klusacek2016.tables import searches as compare

TITLE = "Random Search and other searches"
DIGITS = dict.fromkeys((*compare.GAIN, *compare.DIFFERENCE, "fairness"), 4)
DIGITS |= {"p": 3}


def make(
    paper_budget: int,
    label: str,
    searches: str,
    rows: Sequence[Mapping],
    runs: Sequence[str],
    names: Mapping[str, str],
) -> dict[str, Table | Data | tuple[Table, Picture, str]]:
    """Return the tables, the sentences and the figure; `paper_budget` is in iterations.

    `names` are those of models that replace logs, by the label of the rows.
    """
    gains = read_parquet(searches)
    compared, budget = compare.compare_searches(gains), compare.by_budget(gains)
    rules = compare.by_rule(compared, paper_budget)
    waits = budgets.realized_metrics(rows, map(read_parquet, runs))
    first = (
        f"{beyond.headline(rules, budget, paper_budget)} {budgets.sentence(waits, names)}".strip()
    )
    lines = [first, "", *beyond.sentences(rules, budget, paper_budget)]
    on = f"{label}: {beyond.kept_of(gains)}"
    more = "\n".join([lines[0], "", *(f"- {line}" for line in lines[2:])])
    facts = {"on": on, "worth": compare.WORTH}
    figure = draw_searches(compared, budget, paper_budget, f"{TITLE} ({label})")
    comparison = (Table(rules, DIGITS, facts, more), Picture(figure), "\n".join(lines))
    return {
        "beyond_search": comparison,
        "beyond_search_curves": Data(compared),
        "beyond_budget": Table(budget, DIGITS, facts),
        "beyond_waits": Table(waits, 3),
    }
