"""The page of legrand2018 and its captions."""

import pandas as pd
import pytest

from page_case import rendered
from period_case import experiment
from schedlab.files.stand_ins import with_stand_ins
from schedlab.report.items import Study, names_of
from schedlab.studies.legrand2018 import items
from schedlab.studies.legrand2018.inputs import SCALINGS
from schedlab.studies.legrand2018.page import context

NUMBERED = [f"table{number}" for number in range(1, 8)]
TABLES = [*NUMBERED, *(f"{table}_comparison" for table in NUMBERED)]
TABLES += ["ranks", "coverings", "table2_evidence", "conclusions", "claims", "online"]
TABLES += ["sensitivity", "toggles"]
FIGURES = [*(f"fig{number}" for number in range(1, 16)), "fig_online", "fig_table2", "fig_toggles"]
OWN_TABLES, OWN_FIGURES = ["table3_own", "table_mine"], ["fig2_own", "fig_mine_best"]
COMPARED = {"row": "SAF", "column": "20 hours", "published": "2.0", "computed": 2.0, "ratio": 1.0}
COMPARED |= {"verdict": "match", "reason": "", "printed_as": ""}
RANKS = ["table", "column", "printed", "kendall"]


@pytest.fixture
def page(root, tmp_path):
    """Render the page with some items beyond the paper's; return its text."""

    def make(more_tables=(), more_figures=()):
        shown, row = [*TABLES, *more_tables], pd.DataFrame([COMPARED])
        frames = {item: row if item.endswith("_comparison") else row.iloc[:0] for item in shown}
        frames["ranks"] = pd.DataFrame(columns=RANKS)
        texts = dict.fromkeys(("claims", "online", "toggles"), "said")
        own = dict.fromkeys([*more_tables, *more_figures], "SITE, with mine")
        captions = {"fig1": "Distribution of *slowdowns*."}
        written = (tmp_path, "legrand2018", frames, [*FIGURES, *more_figures], texts)
        return rendered(*written, captions, context, further={"tau": "60", "own": own})

    return make


@pytest.mark.slow
def test_user_policies_are_last_on_the_page(page):
    text = page(OWN_TABLES, OWN_FIGURES)
    assert text.index('id="own"') > text.index('id="setting"')
    for item in OWN_FIGURES:
        assert text.index(f'id="{item}"') > text.index('id="own"')
    for words in ("SITE, with mine", "slowdown (τ = 60 s)", "Distribution of <em>slowdowns</em>."):
        assert words in text
    assert 'id="own"' not in page()


def test_rank_correlations_use_owners_if_a_column_was_sorted():
    rows = [("table3", "a", "as printed", "0.9"), ("table3", "b", "as printed", "0.1")]
    rows += [("table3", "b", "by owner", "1.0"), ("table4", "a", "as printed", "")]
    ordered = context({"ranks": pd.DataFrame(rows, columns=RANKS)})["ordered"]
    assert ordered == {"kendall": 0.95, "columns": 2}


def test_page_omits_rank_correlations_that_were_not_computed():
    rows = pd.DataFrame([("table3", "a", "as printed", "")], columns=RANKS)
    assert context({"ranks": rows}) == {"ordered": None}


RUNS = "<results>/simulations/legrand2018"
TEXT = {"experiment": "site_text", "dialect": "lifo", "thresholds_item": "table3_text"}
NOTHING = dict.fromkeys(["best_item", "mixed_item", "space_item", "search_item"])
MONTHS = {"experiment": "site_months", "split": "log_months", "months_item": "fig15a"}


#: processors of the models
SIZES = {"lublin_quick_site": 64}


@pytest.fixture
def study():
    """Return a function that gives the study with a trace by weeks, by months and by the text."""

    def make(source="logs", **policies):
        other = NOTHING | {"sensitivity": False, "space": None}
        rows = [
            experiment(),
            experiment(**(other | MONTHS | {"thresholds_item": None})),
            experiment(**(other | TEXT)),
        ]
        sheet = rows
        if source == "models":
            rows = with_stand_ins([row.on_model() for row in rows], rows, SIZES)
        config = {"source": source, "policies": policies}
        config |= {"legrand2018": {"online": {"resamples": 1000}}}
        return Study("legrand2018", tuple(rows), config, str, tuple(sheet), SIZES)

    return make


@pytest.fixture
def inputs(study):
    def find(item, *arguments, **policies):
        group = next(
            group
            for group in items.groups(study(*arguments, **policies))
            if item in [one.name for one in group.items]
        )
        return group.inputs(item) if callable(group.inputs) else group.inputs

    return find


def test_items_of_user_policies_are_listed_only_if_there_are_any(study):
    tables = names_of(items.groups(study()), "table")
    more = names_of(items.groups(study(mine="r")), "table")
    assert {*more} - {*tables} == {"table2_own", "table3_own", "table3_text_own"}


def test_runs_of_user_policies_follow_those_of_the_paper(inputs):
    assert inputs("fig15_own", mine="r")["pure"] == [
        f"{RUNS}/site_months.pure.parquet",
        f"{RUNS}/mine/site_months.pure.parquet",
    ]
    assert inputs("table3", mine="r")["pure"] == [f"{RUNS}/site_weeks.pure.parquet"]


def test_coverings_use_thresholds_from_that_of_the_row_up(inputs):
    names = [path.removeprefix(f"{RUNS}/site_weeks.") for path in inputs("coverings")["surfaces"]]
    kinds = [f"{scaling}.604800" for scaling in SCALINGS] + [*SCALINGS]
    assert names == [f"{kind}.surface.parquet" for kind in kinds]


def test_table_comparison_reads_the_run_table_and_the_text_table(inputs):
    shown = "<results>/figures/legrand2018"
    assert inputs("table3_comparison")["table"] == f"{shown}/table3.csv"
    assert inputs("conclusions") == {
        "run": [f"{shown}/table3.csv"],
        "text": [f"{shown}/table3_text.csv"],
    }


def test_the_longest_jobs_of_a_model_have_no_ledger(inputs):
    assert {*inputs("table7")} == {"jobs", "ledger"}
    assert {*inputs("table7", "models")} == {"jobs"}


@pytest.fixture
def captions(study):
    def find(*arguments, **policies):
        groups = items.groups(study(*arguments, **policies))
        return {item.name: item.caption for group in groups for item in group.items}

    return find


def test_captions_state_what_an_item_shows(captions):
    found = captions(mine="r")
    weeks = "Data: SITE; 6 weeks; cleaning: rr9212. Starvation threshold 200,000 s, τ = 60 s."
    assert found["fig2"].endswith(weeks)
    assert "SITE; 6 months;" in found["fig15"]
    assert found["fig2_own"].startswith("Figure 2 of legrand2018, with your policies (mine): ")
    model = captions("models")["table1"]
    assert "Data: model, 64 processors (stands in for SITE);" in model
    assert model.endswith("cleaning: none.")


def test_items_with_your_policies_have_a_heading(study):
    further = items.page(study(mine="r"))["further"]
    assert further["tau"] == "60"
    assert further["own"]["fig2_own"] == "SITE, with mine"
    assert "fig2" not in further["own"]


def test_logs_are_named_unless_models_run_instead(study):
    assert items.page(study())["logs"] == ["SITE"]
    assert items.page(study("models"))["logs"] == []
