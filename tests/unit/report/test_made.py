"""How numbers are made: experiments behind an item, Snakemake's record, places in the sources."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Annotated

import pandas as pd
import pytest

from schedlab.files.io import write_parquet
from schedlab.report.items import (
    From,
    Given,
    Group,
    Item,
    Study,
    each,
    experiments_of,
    groups_of,
    item,
    make,
    maker_of,
)
from schedlab.report.minutes import JobRecords, Made, steps_to
from schedlab.report.pages import with_places
from schedlab.report.sources import places_of

ROWS = tuple(SimpleNamespace(experiment=name) for name in ("a", "b", "ab", "c"))
STUDY = Study("one", ROWS, {}, str, ROWS)
GROUPS = [
    Group("make_table", "S", [Item("table1")], inputs={"runs": STUDY.results("pure", ["b", "ab"])}),
    Group(
        "compare_table",
        "S",
        [Item("table1_comparison"), Item("table2_comparison")],
        inputs=lambda item: {"table": STUDY.shown(f"{item.removesuffix('_comparison')}.csv")},
        each=True,
    ),
]


@item("table1", Item("fig1", "figure"), section="S", minutes=2)
def make_one(
    runs: Annotated[list, From(lambda study, name: study.results("pure", [name]), each(len))],
    count: Annotated[int, Given(lambda study, _: len(study.rows), str)],
    ledger: Annotated[str, From(lambda study, _: None)] = "none",
):
    """Return what it was given."""
    return {"table1": (runs, count, ledger)}


@item(lambda study: [f"table_{row.experiment}" for row in study.rows], section="S", apart=True)
def make_each(item, frame: Annotated[pd.DataFrame, From(lambda _, name: f"{name}.parquet")]):
    """Return its item's name and how many rows were read."""
    return f"{item} {len(frame)}"


@item(lambda study: [], section="S")
def make_nothing():
    """Return nothing, for there are no items."""


def test_a_marked_function_makes_its_items_from_what_its_parameters_state(tmp_path):
    one, apart = groups_of(STUDY, sys.modules[__name__])
    assert (one.name, one.minutes, [each.kind for each in one.items]) == (
        "make_one", 2, ["table", "figure"],
    )  # fmt: skip
    assert one.message == "Making table1 and fig1 of one"
    assert (one.inputs, one.params) == ({"runs": STUDY.results("pure", ["table1"])}, {"count": 4})
    made = make(one.maker, one.inputs | one.params)
    assert made == {"table1": ([len(one.inputs["runs"][0])], "4", "none")}
    assert [each.name for each in apart.items] == ["table_a", "table_b", "table_ab", "table_c"]
    assert apart.each
    assert apart.inputs("table_b") == {"frame": "table_b.parquet"}
    path = tmp_path / "b.parquet"
    write_parquet(pd.DataFrame({"x": [1, 2, 3]}), path)
    values = {"frame": path, "item": "table_b"}
    assert make(apart.maker, values) == "table_b 3"
    asked = make(one.maker, one.params | {"runs": [], "item": "table1"})
    assert asked == {"table1": ([], "4", "none")}


def test_a_module_lists_its_own_functions_and_not_those_that_it_imports():
    elsewhere = ModuleType("elsewhere")
    elsewhere.make_one = make_one
    assert groups_of(STUDY, elsewhere) == []


@pytest.mark.parametrize(
    ("item", "experiments"),
    [("table1", ["b", "ab"]), ("table1_comparison", ["b", "ab"]), ("table2_comparison", [])],
)
def test_experiments_are_those_of_the_results_behind_an_item(item, experiments):
    assert experiments_of(STUDY, GROUPS, item) == experiments


def test_maker_of_an_item_is_its_group():
    assert maker_of(GROUPS, "table2_comparison").name == "compare_table"
    assert maker_of(GROUPS, "table9") is None


def test_record_of_a_file_has_its_job_its_inputs_and_measured_seconds(tmp_path):
    logs, benchmarks = tmp_path / "logs", tmp_path / "benchmarks"
    benchmarks.mkdir()
    (benchmarks / "draw.tsv").write_text("s\n90.5\n")
    made = SimpleNamespace(
        rule="draw",
        log=[f"{logs}/draw.log"],
        input=["a.csv"],
        code='        "../../scripts/toys/draw_one.py"\n',
    )
    old = SimpleNamespace(rule="copy", log=None, input=None, code=None)
    store = SimpleNamespace(metadata={"FIG1.PNG": made, "FIG3.PNG": old}.get)
    records = JobRecords(lambda **options: store, str.upper, {"db_url": "sql://me:secret@host"})
    record = records.read("fig1.png", str(logs), str(benchmarks))
    assert (record.job, record.needs) == (("draw", f"{logs}/draw.log"), ["a.csv"])
    assert (record.seconds, record.rule, record.script) == ([90.5], "draw", "toys/draw_one.py")
    assert records.read("fig2.png", str(logs), str(benchmarks)) is None
    assert records.read("fig3.png", "l", "b") == Made(("copy", "fig3.png"), [], [], "copy")
    assert "secret" not in repr(records)


def test_steps_are_in_the_order_in_which_a_file_is_made():
    """By hand: read is needed by both, and comes first though it is the last input of one."""
    made = {
        "table": Made(1, ["drawn", "cleaned"], [], "table"),
        "drawn": Made(2, ["cleaned", "raw"], [], "draw"),
        "cleaned": Made(3, ["raw"], [], "clean", "clean.py"),
        "raw": Made(4, [], [], "read"),
    }
    steps = [("read", ""), ("clean", "clean.py"), ("draw", ""), ("table", "")]
    assert steps_to("table", made.get) == steps
    assert steps_to("unknown", made.get) == []


def test_a_rule_comes_before_all_that_need_it_and_rules_that_need_each_other_are_kept():
    made = {
        "x": Made(1, ["s", "r2"], [], "x"),
        "s": Made(2, ["r1"], [], "s"),
        "r1": Made(3, [], [], "r"),
        "r2": Made(4, [], [], "r"),
    }
    assert [rule for rule, _ in steps_to("x", made.get)] == ["r", "s", "x"]
    made["r2"] = Made(4, ["s"], [], "r")
    assert sorted(rule for rule, _ in steps_to("x", made.get)) == ["r", "s", "x"]


def test_places_in_the_text_become_links_and_the_rest_is_escaped():
    html = str(with_places("section 6, table 4.1 and <fig 3>, figures 1"))
    assert html == (
        'section 6, <a class="place" href="#cards-table4_1">table 4.1</a> and '
        '&lt;<a class="place" href="#fig3">fig 3</a>&gt;, figures 1'
    )


MAKER = "schedlab.studies.legrand2018.statistics:make_evidence"


def test_places_are_the_function_and_those_of_its_study_that_it_calls(root):
    places = {place.function: place for place in places_of(MAKER)}
    assert list(places) == ["make_evidence", "evidence", "threshold_label"]
    assert places["make_evidence"].file == "src/schedlab/studies/legrand2018/statistics.py"
    for place in places.values():
        lines = Path(root, place.file).read_text(encoding="utf-8").splitlines()
        assert lines[place.first - 1].startswith((f"def {place.function}(", "@item("))
        assert lines[place.last - 1].startswith("    ")


def test_functions_of_modules_are_found_by_their_attribute():
    made = places_of("schedlab.studies.kellari2025.published:compare_table6")
    assert {"compare_table6", "compare_correlations"} <= {one.function for one in made}


def test_what_is_not_there_has_no_places():
    assert places_of("") == []
    assert places_of("schedlab.studies.legrand2018.tables:unknown") == []
    assert places_of("schedlab.studies.legrand2018.unknown:table1") == []
