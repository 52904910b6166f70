"""Beyond klusacek2016: Random Search beside other searches, and what its budget costs."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.io import read_parquet, whole
from schedlab.logs import logged
from schedlab.papers.klusacek2016 import beyond
from schedlab.papers.klusacek2016.figures.beyond import draw_searches
from schedlab.papers.klusacek2016.tables import budgets
from schedlab.papers.klusacek2016.tables import searches as compare
from schedlab.report import tables

TITLE = "Random Search beside other searches"
BUDGET_TITLE = "What Random Search gains with more iterations"
RULES = (
    "gain: the weighted sum of relative changes by which a search keeps a move, from the plan "
    "before to the plan it comes to; 0.01 is one percent less mean wait. wait, slowdown, fairness: "
    "percent less than before. difference: of the gain to that of Random Search on the same plan. "
    "Means over plans; low and high: 95 % interval over resampled days. p: of no difference, "
    "adjusted by Holm over the table. better, worse: plans in which the difference is more than "
    f"{compare.WORTH}."
)
BUDGET = (
    "share: percent of what is gained in all plans with the most iterations. reached: plans in "
    f"which no more than {compare.WORTH} is left to gain."
)
WAITS_TITLE = "Realised waits with searches of different budgets"
WAITS = (
    "Means over busy intervals and seeds, of runs that are over: waits in s and bounded slowdowns. "
    "to none, to most: ratio to those without a search and with the largest budget, with 95 % "
    "intervals over intervals drawn anew."
)
DIGITS = dict.fromkeys((*compare.GAIN, *compare.DIFFERENCE, "fairness"), 4)
DIGITS |= {"p": 3}


def show_searches(
    asked: int,
    label: str,
    searches: str,
    rows: Sequence[Mapping],
    runs: Sequence[str],
    csv: str,
    curves_csv: str,
    md: str,
    budget_csv: str,
    budget_md: str,
    waits_csv: str,
    waits_md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write the tables, the sentences and the figure; `asked` is the paper's budget."""
    found = read_parquet(searches)
    compared, budget = compare.compared(found), compare.by_budget(found)
    rules = compare.by_rule(compared, asked)
    waits = budgets.realised(rows, map(read_parquet, runs))
    first = f"{beyond.headline(rules, budget, asked)} {budgets.sentence(waits)}".strip()
    said = [first, "", *beyond.sentences(rules, budget, asked)]
    with whole(txt) as draft:
        draft.write_text("\n".join(said) + "\n", encoding="utf-8")
    on = f"{label}: {beyond.kept_of(found)}"
    note = "\n".join([f"{on}. {RULES}", "", said[0], "", *(f"- {line}" for line in said[2:])])
    tables.write_csv(rules, csv)
    tables.write_csv(compared, curves_csv)
    tables.write_markdown(rules, md, TITLE, note, DIGITS)
    tables.write_csv(budget, budget_csv)
    tables.write_markdown(budget, budget_md, BUDGET_TITLE, f"{on}. {BUDGET}", DIGITS)
    tables.write_csv(waits, waits_csv)
    tables.write_markdown(waits, waits_md, WAITS_TITLE, WAITS, 3)
    save(draw_searches(compared, budget, asked, f"{TITLE} ({label})"), pdf, png)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_searches(
            asked=job.params.asked,
            label=job.params.label,
            searches=job.input.searches,
            rows=job.params.rows,
            runs=job.input.runs,
            csv=job.output.csv,
            curves_csv=job.output.curves,
            md=job.output.md,
            budget_csv=job.output.budget,
            budget_md=job.output.budget_md,
            waits_csv=job.output.waits,
            waits_md=job.output.waits_md,
            txt=job.output.txt,
            pdf=job.output.pdf,
            png=job.output.png,
        )
