"""The sheet of kellari2025 and its runs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched.pairs import effects
from schedlab.cosched.pool import PoolError, read_pool
from schedlab.cosched.schedulers import SCHEDULERS, of_policy
from schedlab.files.config import ConfigError
from schedlab.policies import ScoreError
from schedlab.studies.kellari2025 import runs
from schedlab.studies.kellari2025.sheet import CoSettings, check
from sheet_case import rows_of, rows_with


@pytest.fixture(scope="module")
def sheet():
    return rows_of("kellari2025")


@pytest.fixture(scope="module")
def pool(root):
    pool = read_pool(root / "resources/kellari2025/table4_1.tsv")
    return pool.completed(effects(pool.speedup), "completed")


@pytest.fixture
def changed(tmp_path):
    """Read the sheet with a cell of the thesis's row changed."""
    return lambda column, cell: rows_with("kellari2025", tmp_path, "aris10", **{column: cell})


def test_thesis_ran_ten_workloads_of_a_thousand_jobs_on_aris(sheet):
    row = sheet["aris10"]
    assert (row.workloads, row.jobs, row.cluster.processors) == (10, 1000, 8400)
    assert set(row.schedulers) == set(SCHEDULERS)
    assert row.load is None


def test_larger_number_of_workloads_is_the_same_experiment(sheet):
    row = replace(sheet["aris1000"], experiment="aris10", item="table6", label="ten workloads")
    assert row.limited(10) == sheet["aris10"]


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("schedulers", "fcfs,easy-c", "no scheduler 'easy-c'"),
        ("arrivals", "poisson", "column 'load': poisson arrivals need one"),
        ("log", "KTH-SP2", "column 'log'"),
        ("arrivals", "posson", "'posson' is not one of constant"),
        ("pairs", "mean", "'mean' is not one of row_mean"),
        ("nodes", "0", "column 'nodes'"),
    ],
)
def test_wrong_cell_is_an_error_that_names_it(changed, column, cell, message):
    with pytest.raises(ConfigError, match=message):
        changed(column, cell)


def test_row_changes_co_schedulers_and_leaves_baselines(sheet):
    row = replace(sheet["aris10"], node_order="match", repeat=False, order="sjf", keys="exact")
    assert row.scheduler("easy-co").nodes == "match"
    assert row.scheduler("easy-co").order == "sjf"
    assert not row.scheduler("easy-co").repeat
    assert row.scheduler("filler").keys == "exact"
    assert row.scheduler("easy") == replace(SCHEDULERS["easy"], repeat=False, keys="exact")
    assert sheet["aris10"].scheduler("filler") == SCHEDULERS["filler"]


def test_settings_of_a_row_are_what_its_schedules_depend_on(sheet):
    row = sheet["aris10"]
    assert CoSettings(**row.settings).cluster.clusters == row.cluster.clusters
    same = replace(row, item="own", label="else", pool="other", keep=True, standin="model")
    assert same.settings == row.settings
    assert replace(row, jobs=5).settings != row.settings


@pytest.fixture
def small(sheet):
    return replace(sheet["aris10"], workloads=2, jobs=30, schedulers=("conservative", "filler"))


def test_every_scheduler_runs_on_every_workload(small, pool):
    found = runs.measure_runs(small, pool, (), 1)
    assert len(found) == 4
    assert set(found["scheduler"]) == {"Conservative", "Filler"}
    assert (found["pool"] == pool.label).all()


def test_user_policy_runs_with_the_schedulers_under_its_name(small, pool):
    shortest = of_policy("shortest", "r")
    found = runs.measure_runs(small, pool, (), 1, further=[shortest])
    assert found["scheduler"].tolist() == ["Conservative", "Filler", "shortest"] * 2
    alone = runs.measure_runs(replace(small, schedulers=()), pool, (), 1, further=[shortest])
    own = found[found["scheduler"] == "shortest"].reset_index(drop=True)
    pd.testing.assert_frame_equal(own, alone)


def test_shortest_first_as_a_policy_is_sjf(small, pool):
    row = replace(small, schedulers=("sjf",))
    found = runs.measure_runs(row, pool, (), 1, further=[of_policy("shortest", "r")])
    sjf, own = (found[found["scheduler"] == name] for name in ("SJF", "shortest"))
    numbers = found.columns.drop("scheduler")
    assert sjf[numbers].reset_index(drop=True).equals(own[numbers].reset_index(drop=True))


def test_policy_reads_waits_and_the_run_time_named_by_the_row(small, pool):
    row = replace(small, schedulers=(), workloads=1, arrivals="poisson", load=2.0, jobs=60)
    ways = {
        "first": ("-w", None),
        "arrival": ("s", None),
        "shortest": ("r", None),
        "estimate": ("r", "estimate"),
    }
    spans = {
        name: runs.measure_runs(
            replace(row, key_time=time, estimates="factor"),
            *(pool, (), 1),
            further=[of_policy(name, expression)],
        )["slowdown"].iloc[0]
        for name, (expression, time) in ways.items()
    }
    assert spans["first"] == spans["arrival"]
    assert len({spans[name] for name in ("first", "shortest", "estimate")}) == 3


def test_policy_with_a_nan_score_is_named_with_the_job(small, pool):
    with pytest.raises(ScoreError, match=r"policy 'odd': the score of job \d+ is nan"):
        runs.measure_runs(small, pool, (), 1, further=[of_policy("odd", "log(-r)")])


def test_numbers_do_not_depend_on_threads(small, pool):
    one, two = (runs.measure_runs(small, pool, (), threads) for threads in (1, 2))
    assert one.equals(two)


def test_experiments_that_differ_in_one_cell_have_the_same_applications(small, pool):
    other = replace(small, experiment="x", arrivals="poisson", load=0.8, estimates="factor")
    drawn = [
        runs.workload_of(row, pool, 1, runs.arrivals_of(row, pool)).app for row in (small, other)
    ]
    np.testing.assert_array_equal(*drawn)


def test_experiment_whose_log_is_not_available_has_no_rows(small, pool):
    row = replace(small, arrivals="log", load=0.8, log="KTH-SP2")
    assert runs.measure_runs(row, pool, (), 1).empty
    assert len(runs.measure_runs(row, pool, (0.0, 5.0, 60.0), 1)) == 4


def test_predicted_pairs_replace_unknown_ones(small, root):
    holes = read_pool(root / "resources/kellari2025/table4_1.tsv")
    as_measured, predicted = (
        runs.measure_runs(replace(small, pairs=pairs), holes, (), 1)
        for pairs in ("row_mean", "effects")
    )
    filler = as_measured["scheduler"] == "Filler"
    assert not as_measured[filler].equals(predicted[filler])
    assert as_measured[~filler].equals(predicted[~filler])


def test_kept_schedules_list_the_nodes_of_each_job(small, pool):
    kept = runs.keep_schedules(small, pool, 1)
    assert len(kept) == 2 * 2 * 30
    shared = kept[~kept["compact"]]
    assert (shared["nodes"].map(len) * 10 == shared["cores"]).all()
    assert (kept["cores"] >= kept["procs"]).all()


def test_unknown_order_is_named_with_the_experiment(changed):
    rows = changed("order", "fillr")
    with pytest.raises(ConfigError, match=r"experiment 'aris10': .*did you mean 'filler'"):
        check(rows.values(), "sheet.tsv", {"orders": {}, "policies": {}})


def test_policy_called_like_a_scheduler_is_refused(sheet):
    config = {"orders": {}, "policies": {"filler": "r"}}
    with pytest.raises(ConfigError, match=r"'policies\.filler': 'filler' is a scheduler"):
        check(sheet.values(), "sheet.tsv", config)


def test_workload_has_only_the_applications_of_the_row(changed, pool):
    row = changed("applications", "lu.D.256,ep.E.256")["aris10"]
    jobs = runs.workload_of(row, pool, 0, runs.arrivals_of(row, pool))
    assert [pool.names[app] for app in jobs.app[:4]] == ["lu.D.256", "ep.E.256"] * 2
    assert len(jobs) == 1000


def test_application_that_the_pool_lacks_is_named_with_the_experiment(changed, pool):
    row = changed("applications", "lu.D.256=1,lu.X.1=2")["aris10"]
    with pytest.raises(PoolError, match=r"experiment 'aris10': .*'lu\.X\.1' is not in the pool"):
        runs.workload_of(row, pool, 0, runs.arrivals_of(row, pool))


def test_application_too_large_for_the_machine_is_named(changed, pool):
    row = changed("nodes", "50")["aris10"]
    with pytest.raises(PoolError, match=r"experiment 'aris10': .*do not fit on 50 nodes"):
        runs.workload_of(row, pool, 0, runs.arrivals_of(row, pool))
