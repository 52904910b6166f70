"""Sentences beyond the thesis, word for word, from tables written by hand."""

import numpy as np
import pandas as pd
import pytest

from schedlab.files.io import write_parquet
from schedlab.report.parts import write_items
from schedlab.report.words import as_list, filled
from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.beyond import gaps
from schedlab.studies.kellari2025.figures.beyond import moved, show_settings
from schedlab.studies.kellari2025.tables.chapter6 import read_runs
from words_case import words_of

SENTENCES = words_of("kellari2025")["sentences"]


def lines_of(table):
    """What settings change: the first line, an empty one, and the others."""
    whole = table.assign(**{name: np.nan for name in beyond.CHANGES if name not in table})
    return filled(SENTENCES["show_settings"], beyond.effects_of(whole)).split("\n")


def lines_against(changes, labels):
    """In which settings schedulers are better than EASY, as `lines_of`."""
    facts = beyond.sides_of(changes, labels, "EASY")
    return filled(SENTENCES["show_settings"], facts).split("\n")


def priced():
    return filled(SENTENCES["beyond_pricing"], {"tariffs": beyond.prices_of(PRICES)}).split("\n")


LABELS = {"base": "as it was", "new": "changed"}


def runs(*rows):
    """Runs of setting, scheduler and the slowdowns of workloads 0, 1, 2 and so on."""
    found = [
        (experiment, scheduler, workload, value)
        for experiment, scheduler, values in rows
        for workload, value in enumerate(values)
    ]
    frame = pd.DataFrame(found, columns=["experiment", "scheduler", "workload", "slowdown"])
    return frame.assign(slowed=5.0, utilisation=0.9, job_speedup=1.1, makespan_speedup=1.0)


def test_table_has_means_counts_and_changes_of_every_setting_and_scheduler():
    """Changes of 10, 20, 60 %: 30, to either side 4.302653 * 26.457513 / sqrt(3) = 65.724100."""
    own = runs(
        ("base", "EASY", [10, 20, 40]),
        ("base", "Conservative", [1, 1, 4]),
        ("new", "EASY", [11, 24, 64]),
        ("new", "Conservative", [1, 1, 4]),
    )
    own.loc[own["experiment"] == "new", "makespan_speedup"] = 0.5
    table = beyond.by_setting(own, LABELS | {"log": "gaps of a log"})
    assert list(table) == [
        *("setting", "scheduler", "workloads", "slowdown", "slowed", "utilisation"),
        *("job_speedup", "makespan_speedup", "slowdown_change", "slowdown_low", "slowdown_high"),
        *("makespan_speedup_change", "makespan_speedup_low", "makespan_speedup_high"),
    ]
    assert table[["setting", "scheduler", "workloads"]].to_numpy().tolist() == [
        ["as it was", "EASY", 3],
        ["as it was", "Conservative", 3],
        ["changed", "EASY", 3],
        ["changed", "Conservative", 3],
        ["gaps of a log", "log not available", 0],
    ]
    numbers = table.iloc[:4, 3:].to_numpy(float)
    assert numbers == pytest.approx(
        np.array(
            [
                [70 / 3, 5, 0.9, 1.1, 1, 0, 0, 0, 0, 0, 0],
                [2, 5, 0.9, 1.1, 1, 0, 0, 0, 0, 0, 0],
                [33, 5, 0.9, 1.1, 0.5, 30, 30 - 65.724100, 30 + 65.724100, -50, -50, -50],
                [2, 5, 0.9, 1.1, 0.5, 0, 0, 0, -50, -50, -50],
            ]
        )
    )
    assert table.iloc[4, 3:].isna().all()


def test_two_workloads_have_an_interval_and_one_has_none():
    """Of two values the quantile is 12.706205; their deviation over sqrt(2) is half their gap."""
    assert beyond.half_width(pd.Series([1.0, 3.0])) == pytest.approx(12.706205, rel=1e-6)
    assert beyond.half_width(pd.Series([1.0])) == np.inf


def changes(setting, metric="slowdown", **middles):
    """Rows of `by_setting`: a scheduler's change, and its interval to either side."""
    rows = [
        {"setting": setting, "scheduler": name}
        | {f"{metric}_change": m, f"{metric}_low": m - w, f"{metric}_high": m + w}
        for name, (m, w) in middles.items()
    ]
    return pd.DataFrame(rows)


REFERENCE = changes("before", EASY=(90.0, 0), SJF=(90.0, 0), FCFS=(90.0, 0))
ABSENT = pd.DataFrame([{"setting": "gaps of a log", "scheduler": "log not available"}])


def test_headline_has_median_and_range_of_all_settings_but_the_first():
    """The median of 1, 2 and 9 is 2; the mean would be 4. The first setting's 90 is not told."""
    table = pd.concat(
        [
            REFERENCE,
            changes("wide", EASY=(2.0, 0), SJF=(9.0, 0), FCFS=(1.0, 0)),
            ABSENT,
            changes("narrow", EASY=(-2.0, 0), SJF=(-9.04, 0)),
        ]
    )
    assert lines_of(table)[0] == (
        "Change of mean slowdown against before. "
        "Wide: +2.0 %, median of 3 schedulers (+1.0 % for FCFS to +9.0 % for SJF). "
        "Narrow: -5.5 %, median of 2 schedulers (-9.0 % for SJF to -2.0 % for EASY)."
    )


@pytest.mark.parametrize(
    ("change", "same"), [(0.049, True), (-0.049, True), (0.05, False), (-0.05, False)]
)
def test_changes_that_all_round_to_zero_are_reported_as_not_at_all(change, same):
    table = pd.concat([REFERENCE, changes("wide", EASY=(0.0, 0), SJF=(change, 0))])
    assert lines_of(table)[0].endswith("Wide: no change.") is same


@pytest.mark.parametrize("others", [[], [ABSENT]])
def test_single_setting_has_no_headline(others):
    table = pd.concat([REFERENCE, *others])
    assert lines_of(table)[0] == "There is nothing to compare with before."


def test_sentences_name_schedulers_that_rise_fall_or_do_not_change():
    """An interval that begins or ends at 0 leaves it in."""
    slowdown = changes(
        "wide",
        EASY=(2.0, 1.99),
        SJF=(2.0, 2.0),
        FCFS=(-3.25, 3.24),
        Filler=(-3.0, 3.0),
        Conservative=(7.0, 1.0),
    )
    speedup = changes(
        "wide",
        "makespan_speedup",
        EASY=(0.5, 0.4),
        SJF=(-0.5, 0.4),
        FCFS=(-0.5, 0.4),
        Filler=(0.0, 0.0),
        Conservative=(7.0, 1.0),
    )
    row = slowdown.merge(speedup, on=["setting", "scheduler"])
    still = slowdown.assign(setting="narrow", slowdown_low=-1.0, slowdown_high=1.0)
    still = still.assign(makespan_speedup_low=1.0, makespan_speedup_high=2.0)
    table = pd.concat([REFERENCE, row, ABSENT, still.assign(makespan_speedup_change=1.5).head(1)])
    assert lines_of(table)[2:] == [
        "wide, against before: mean slowdown rises for EASY (+2.0 %), Conservative (+7.0 %). It "
        "falls for FCFS (-3.2 %). It does not change significantly for SJF, Filler.",
        "wide, against before: makespan speedup rises for EASY (+0.5 %). It falls for SJF "
        "(-0.5 %), FCFS (-0.5 %). It does not change significantly for Filler.",
        "gaps of a log: log not available.",
        "narrow, against before: mean slowdown does not change significantly for EASY.",
        "narrow, against before: makespan speedup rises for EASY (+1.5 %).",
    ]


def test_two_settings_with_one_scheduler_each_are_compared():
    table = pd.concat([changes("before", EASY=(0.0, 0)), changes("wide", EASY=(2.0, 1.0))])
    table = table.assign(makespan_speedup_low=-1.0, makespan_speedup_high=1.0)
    assert lines_of(table)[0].startswith("Change of mean slowdown against before. Wide: +")
    assert lines_of(table)[2:] == [
        "wide, against before: mean slowdown rises for EASY (+2.0 %).",
        "wide, against before: makespan speedup does not change significantly for EASY.",
    ]


def test_markdown_is_a_sentence_and_a_list_without_empty_items():
    assert as_list("one\ntwo\n\nthree") == "one\n\n- two\n- three"


# Changes of 1, 2, 3, 4, 5 % about a middle: 2.776445 * sqrt(2.5) / sqrt(5) = 1.963243.
STEPS = np.arange(-2.0, 3)
BASE = 100 * 2.0 ** np.arange(5)  # workloads are far apart


def shifted_slowdowns(percent):
    """Slowdowns that are other than `BASE` by as much."""
    return BASE * (1 + np.asarray(percent) / 100)


def sentences_against_easy(own, labels):
    return lines_against(gaps(own, labels, "EASY"), labels)[2:]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (-1.97 + STEPS, "lower than"),
        (-1.96 + STEPS, "not distinguishable from"),
        (1.96 + STEPS, "not distinguishable from"),
        (1.97 + STEPS, "higher than"),
        # of the mean change, not of the median: -2, to either side 2.776445 * sqrt(5) / sqrt(5)
        ([-3, -3, 2, -3, -3], "not distinguishable from"),
    ],
)
def test_slowdown_differs_only_if_the_interval_of_the_change_excludes_0(changed, words):
    own = runs(("new", "EASY", BASE), ("new", "SJF", shifted_slowdowns(changed)))
    (said,) = sentences_against_easy(own, {"new": "changed"})
    assert said == f"changed: mean slowdown is {words} EASY's for SJF."


GIVEN = [
    ("EASY", BASE),
    ("SJF", shifted_slowdowns(-9)),
    ("FCFS", shifted_slowdowns(9)),
    ("Filler", shifted_slowdowns(STEPS)),
    ("LJF", shifted_slowdowns(8)),
    ("LAF-Co", BASE),
]


def test_headline_counts_settings_and_those_in_which_each_is_lower():
    """SJF is lower in all three, Filler in two, LJF in one, FCFS in none."""
    lower = {"SJF": 3, "Filler": 2, "LJF": 1, "FCFS": 0}
    own = runs(
        *((str(place), "EASY", BASE) for place in range(3)),
        *(
            (str(place), name, shifted_slowdowns(-9 if place < count else 9))
            for name, count in lower.items()
            for place in range(3)
        ),
    )
    labels = {name: name for name in ("0", "1", "absent", "2")}
    assert lines_against(gaps(own, labels, "EASY"), labels)[0] == (
        "Mean slowdown is lower than EASY's in all 3 settings for SJF; "
        "in some settings for Filler (2), LJF (1); in no setting for FCFS."
    )


def test_title_and_sentences_count_the_same_schedulers_in_every_setting():
    """Differences of the mean and mean relative changes need not have the same sign."""
    own = runs(
        *(("new", name, values) for name, values in GIVEN),
        ("base", "EASY", BASE),
        # a workload of slowdown 1,600 decides the difference, four others the change
        ("base", "SJF", shifted_slowdowns([-10, -11, -9, -10, 2])),
        ("base", "LJF", shifted_slowdowns([-10, -11, -9, -10, -8])),
    )
    labels = {"new": "changed", "base": "as it was"}
    changes = gaps(own, labels, "EASY")
    assert sentences_against_easy(own, labels) == [
        "changed: mean slowdown is lower than EASY's for SJF; higher than EASY's for FCFS, LJF; "
        "not distinguishable from EASY's for Filler, LAF-Co.",
        "as it was: mean slowdown is lower than EASY's for SJF, LJF.",
    ]
    assert moved(changes, "EASY").endswith("for 3 of 5 (changed), 2 of 2 (as it was)")
    many = pd.concat([changes.assign(setting=changes["setting"] + str(n)) for n in range(3)])
    assert moved(many, "EASY") == (
        "Against EASY, mean slowdown is significantly lower in 9 and higher in 6 of 21 pairs of "
        "scheduler and setting"
    )


def test_comparison_without_a_log_is_marked_not_available():
    changes = gaps(runs(("new", "EASY", BASE)), {"log": "gaps"}, "EASY")
    assert lines_against(changes, {})[0] == "There is nothing to compare with EASY."
    assert lines_against(changes, {"log": "gaps"})[2:] == ["gaps: log not available."]


def prices(tariff, **rows):
    """Rows of `schedlab.cosched.pricing.by_scheduler`: more, overcharge and income."""
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["more", "overcharge", "income"])
    frame = frame.rename_axis("scheduler").reset_index()
    return frame.assign(tariff=tariff, scheduler=frame["scheduler"].str.replace("_", "-"))


PRICES = pd.concat(
    [
        # Nothing is reported for EASY, which shares no node.
        prices(
            "node", EASY=(99, 99, 1), Filler=(20, 7, 95), EASY_Co=(10, 9, 98), SJF_Co=(12, 2, 96)
        ),
        prices("core", EASY=(99, 99, 101), Filler=(0, 0, 80), EASY_Co=(0, 0, 85.04)),
        prices("mixed", EASY=(0, 0, 100), Filler=(0, 0, 90), EASY_Co=(4, 3, 90)),
    ]
)  # fmt: skip


def test_price_sentences_give_the_range_for_each_tariff():
    assert priced()[2:] == [
        "Tariff node: 10.0 % (EASY-Co) to 20.0 % (Filler) of the jobs pay more than alone, on "
        "average 6.0 % more. The site's income is 95.0 to 98.0 % of that without sharing.",
        "Tariff core: no job pays more than alone. The site's income is 80.0 to 85.0 % of that "
        "without sharing.",
        "Tariff mixed: 0.0 % (Filler) to 4.0 % (EASY-Co) of the jobs pay more than alone, on "
        "average 1.5 % more. The site's income is 90.0 to 90.0 % of that without sharing.",
    ]


def test_price_headline_has_the_ends_or_none_of_every_tariff():
    assert priced()[0] == (
        "Share of jobs that pay more than alone when nodes are shared, range over schedulers: "
        "10.0 to 20.0 % (node), none (core), 0.0 to 4.0 % (mixed)."
    )


def test_the_method_that_errs_least_is_named_for_each_design():
    errors = pd.DataFrame(
        [
            ("pairs", "row_mean", 0.2),
            ("pairs", "low_rank_1", 0.4),
            ("pairs", "effects", 0.3),
            ("groups", "row_mean", 0.2),
            ("groups", "low_rank_1", 0.1004),
            ("groups", "effects", 0.3),
        ],
        columns=["design", "method", "rmse"],
    )
    facts = {"errors": beyond.errors_of(errors), **beyond.effects_of(REFERENCE)}
    assert filled(SENTENCES["beyond_pairs"], facts).split("\n")[0] == (
        "With single pairs left out, no method beats the mean of the row (rmse 0.200). "
        "With all pairs between two groups left out (as in ARIS), low rank 1 has the smallest "
        "error (rmse 0.100; mean of the row: 0.200)."
    )


def pairs_of(*changes, base=50.0):
    """Runs of one scheduler whose slowdown changes by the given percent, workload by workload."""
    rows = [
        (experiment, "Filler", workload, base * 3**workload * factor)
        for workload, change in enumerate(changes)
        for experiment, factor in (("base", 1.0), ("new", 1 + change / 100))
    ]
    frame = pd.DataFrame(rows, columns=["experiment", "scheduler", "workload", "slowdown"])
    return frame.assign(slowed=1.0, utilisation=0.9, job_speedup=1.0, makespan_speedup=1.05)


def test_change_is_paired_over_the_common_workloads():
    """Workloads are as different as 1 and 81; a fifth one ran in the new setting alone."""
    own = pairs_of(10, 10, 10, 10, 10)
    own = own[~((own["experiment"] == "base") & (own["workload"] == 4))]
    row = beyond.by_setting(own.sample(frac=1, random_state=1), LABELS).iloc[-1]
    ends = row[["slowdown_low", "slowdown_change", "slowdown_high"]]
    assert ends.tolist() == pytest.approx([10, 10, 10])


def test_workloads_of_one_setting_do_not_narrow_an_interval():
    """Of six workloads three are in both settings: Student's t has two degrees of freedom.

    Changes of 1, 2, 3 %: 4.302653 * 1 / sqrt(3).
    """
    own = pairs_of(1, 2, 3, 4, 5, 6)
    own = own[~((own["experiment"] == "base") & (own["workload"] > 2))]
    row = beyond.by_setting(own, LABELS).iloc[-1]
    assert row["slowdown_change"] == pytest.approx(2)
    assert row["slowdown_high"] - 2 == pytest.approx(4.302653 / np.sqrt(3), rel=1e-6)


NOTE = words_of("kellari2025")["notes"]["show_settings"]
WORDS = {
    f"beyond_{name}": {"sentence": SENTENCES["show_settings"]} for name in ("arrivals", "matching")
}
ENDS = ("change", "low", "high")
SCHEDULERS = {"Conservative": 90.0, "EASY": 60.0, "SJF": 20.0}


def arriving_runs(workloads, outlier):
    """Runs in two settings, of which the second has half the slowdown.

    With an outlier, one workload has by far the largest slowdowns, of SJF the largest.
    """
    stream = np.random.default_rng(5)
    rows = [
        (experiment, scheduler, workload, level * factor * (1 + 0.05 * stream.normal()))
        for experiment, factor in (("base", 1.0), ("new", 0.5))
        for scheduler, level in SCHEDULERS.items()
        for workload in range(workloads)
    ]
    frame = pd.DataFrame(rows, columns=["experiment", "scheduler", "workload", "slowdown"])
    if outlier:
        frame.loc[(frame["scheduler"] == "SJF") & (frame["workload"] == 0), "slowdown"] = 6400.0
        frame.loc[(frame["scheduler"] == "EASY") & (frame["workload"] == 0), "slowdown"] = 6000.0
    frame["makespan"] = 1000 + frame["slowdown"]
    return frame.assign(slowed=0.0, utilisation=0.9, job_speedup=1.0, jobs=40, pool="a pool")


@pytest.fixture
def show(tmp_path):
    """Return the table as it is written, its figure, its sentences and the whole text."""

    def run(held_against=None, workloads=4, outlier=False, labels=LABELS):
        path = tmp_path / "arriving_runs.parquet"
        write_parquet(arriving_runs(workloads, outlier), path)
        item = "beyond_arrivals" if held_against else "beyond_matching"
        table, picture, said = show_settings(item, read_runs([path]), labels, WORDS)
        outputs = {f"out_{kind}": tmp_path / f"out.{kind}" for kind in ("csv", "md", "txt")}
        write_items({"out": (table, said)}, outputs, words={"out": {"note": NOTE}})
        texts = [outputs[f"out_{kind}"].read_text() for kind in ("txt", "md")]
        return pd.read_csv(outputs["out_csv"]), picture.figure, *texts

    return run


@pytest.mark.parametrize("held_against", [None, "EASY"])
def test_table_has_the_values_that_the_figure_draws(show, held_against):
    table, figure, *_ = show(held_against)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    suffix = f"_against_{held_against}" if held_against else ""
    for axes, metric in zip(figure.axes, ("slowdown", "makespan_speedup"), strict=True):
        marks = [line for line in axes.lines if line.get_label() in set(table["setting"])]
        bars = [lines.get_segments() for lines in axes.collections]
        assert marks
        assert len(bars) == len(marks)
        for line, segments in zip(marks, bars, strict=True):
            own = table[table["setting"] == line.get_label()].set_index("scheduler").loc[names]
            written = own[[f"{metric}_{end}{suffix}" for end in ENDS]].to_numpy()
            if axes.get_xlabel().endswith("ratio"):  # of a large change, in percent in the table
                written = 1 + written / 100
            assert line.get_xdata() == pytest.approx(written[:, 0], abs=1e-5)
            ends = np.array([segment[:, 0] for segment in segments])
            assert ends == pytest.approx(written[:, 1:], abs=1e-5)


def test_the_note_states_what_changes_are_compared_with(show):
    table, _, said, page = show("EASY")
    assert "compared with EASY in the same setting (columns against_…) and the first" in page
    assert table.loc[table["scheduler"] == "EASY", "slowdown_change_against_EASY"].isna().all()
    assert said.startswith("Mean slowdown is lower than EASY's in all 2 settings for SJF;")
    *_, page = show()
    assert "changes in percent compared with the first setting, as it was." in page


def test_an_interval_without_ends_is_empty(show):
    table, _, said, page = show("EASY", workloads=1)
    row = table[table["scheduler"] == "SJF"].iloc[0]
    assert row["slowdown_change_against_EASY"] < 0
    assert np.isnan(row["slowdown_low_against_EASY"])
    assert "inf" not in page
    assert "in no setting for Conservative, SJF" in said


@pytest.mark.parametrize(
    "words", ["", ", whose log has a name", ", model, 256 processors (stands in for KTH-SP2)" * 2]
)
def test_the_legend_stays_within_the_figure(show, words):
    labels = {experiment: f"{label}, load 0.8{words}" for experiment, label in LABELS.items()}
    _, figure, *_ = show("EASY", labels=labels)
    figure.canvas.draw()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
