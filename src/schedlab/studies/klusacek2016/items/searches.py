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
BUDGET_TITLE = "Gain of Random Search by number of iterations"
RULES = (
    "gain: weighted sum of the relative changes from the initial to the final plan, by which a "
    "search accepts moves; 0.01 is one percent less mean wait. wait, slowdown, fairness: decrease "
    "in percent. difference: gain minus that of Random Search on the same plan. Means over plans. "
    "low and high: 95 % interval over resampled days. p: of no difference, Holm-adjusted over the "
    "table. better, worse: plans with a difference of more than "
    f"{compare.WORTH}."
)
BUDGET = (
    "share: percent of the gain in all plans with the most iterations. reached: plans with a "
    f"remaining gain of at most {compare.WORTH}."
)
WAITS_TITLE = "Realized waits by number of iterations"
WAITS = (
    "Means of complete runs over busy intervals and seeds: waits in s and bounded slowdowns. to "
    "none, to most: ratio to the runs without a search and with the most iterations, with 95 % "
    "intervals over resampled busy intervals."
)
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
    note = "\n".join([f"{on}. {RULES}", "", lines[0], "", *(f"- {line}" for line in lines[2:])])
    figure = draw_searches(compared, budget, paper_budget, f"{TITLE} ({label})")
    comparison = (Table(rules, TITLE, note, DIGITS), Picture(figure), "\n".join(lines))
    return {
        "beyond_search": comparison,
        "beyond_search_curves": Data(compared),
        "beyond_budget": Table(budget, BUDGET_TITLE, f"{on}. {BUDGET}", DIGITS),
        "beyond_waits": Table(waits, WAITS_TITLE, WAITS, 3),
    }
