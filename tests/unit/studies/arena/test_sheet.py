"""The arena's sheet, valid and with mistakes."""

import pytest

from schedlab.comparison.schedulers import ABSENT, SCHEDULERS, labels_of
from schedlab.files.config import ConfigError
from schedlab.queue.site_cells import files_in
from schedlab.studies.arena.sheet import as_run, check
from sheet_case import rows_after, rows_of, rows_with
from slurm_site_case import write_site


def test_every_scheduler_runs_on_every_log():
    rows = rows_of("arena").values()
    left_out = {"ricc": {"orig_bf"}}
    for row in rows:
        assert set(row.schedulers) == set(SCHEDULERS) - left_out.get(row.experiment, set())
    assert {"RICC", "UniLu-Gaia", "CEA-Curie", "Theta-2022"} <= {row.source for row in rows}


def test_models_replace_the_logs():
    config = {"source": "models", "arena": {"logs": 2}}
    rows = as_run(rows_of("arena").values(), config)
    assert [(row.source, row.processors) for row in rows] == [
        ("lublin_arena_128", 128),
        ("lublin_arena_1024", 1024),
    ]
    assert [row.label for row in rows] == ["KTH-SP2", "CEA-Curie"]
    assert all(row.is_model for row in rows)


def test_settings_exclude_the_label():
    assert "label" not in rows_of("arena")["kth_sp2"].settings


@pytest.mark.parametrize(
    ("was", "is_now", "said"),
    [
        ("fcfs,spf", "fcfs,spx", "'spx' is none; did you mean 'spf'?"),
        ("fcfs,spf", "spf", "lacks fcfs, with which the others are compared"),
    ],
)
def test_wrong_schedulers_are_named(tmp_path, was, is_now, said):
    with pytest.raises(ConfigError, match=r"experiment 'kth_sp2': column 'schedulers'") as raised:
        rows_after("arena", tmp_path, (was, is_now))
    assert said in str(raised.value)


def test_label_of_an_earlier_row_is_refused(tmp_path):
    said = "cea_curie': column 'label': an earlier row is 'KTH-SP2'"
    with pytest.raises(ConfigError, match=said):
        rows_after("arena", tmp_path, ("cea_curie\tCEA-Curie", "cea_curie\tKTH-SP2"))


def test_learned_policies_are_some_tables(tmp_path):
    none = ("policies/learned.csv", "-")
    with pytest.raises(ConfigError, match="kth_sp2': column 'learned' is empty, but 'l1' runs"):
        rows_after("arena", tmp_path, none, count=1)
    rows = rows_after("arena", tmp_path, none, (",l1,l2,l3,l4", ""), count=1).values()
    assert [row.learned for row in rows][:2] == [None, "policies/learned.csv"]


def test_labels_are_unique_and_user_schedulers_keep_their_names():
    labels = labels_of([*SCHEDULERS, "mine"])
    assert len(set(labels.values())) == len(labels)
    assert labels["mine"] == "mine"
    assert all(ABSENT.values())


CONFIG = {"policies": {"mine": "r * n"}, "arena": {"schedulers": {}}}


def test_functions_in_files_are_schedulers_of_a_row(tmp_path):
    (tmp_path / "mine.py").write_text("def score(waiting):\n    return waiting.procs\n")
    place, path = f"{tmp_path}/mine.py:score", tmp_path / "sheet.tsv"
    rows = rows_after("arena", tmp_path, ("fcfs,spf", f"fcfs,{place}"), count=1)
    assert rows["kth_sp2"].schedulers[:2] == ("fcfs", place)
    check(rows.values(), path, CONFIG)
    (tmp_path / "mine.py").write_text("raise SystemExit(0)\n")
    with pytest.raises(
        ConfigError, match=r"experiment 'kth_sp2': column 'schedulers': .*SystemExit"
    ):
        check(rows.values(), path, CONFIG)


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("narrow", "gone.py:score", "'arena.schedulers.narrow': scheduler 'gone.py:score'"),
        ("fcfs", "gone.py:score", "there is a scheduler 'fcfs' already"),
        ("mine", "gone.py:score", "there is a scheduler 'mine' already"),
    ],
)
def test_wrong_functions_of_a_configuration_are_named(name, place, said):
    config = CONFIG | {"arena": {"schedulers": {name: place}}}
    with pytest.raises(ConfigError, match=said):
        check(rows_of("arena").values(), "sheet.tsv", config)


def test_a_row_runs_in_a_sites_own_slurm(tmp_path):
    write_site(tmp_path)
    cell = f"site+slurm_conf={tmp_path}/slurm.conf+accounts={tmp_path}/accounts.txt"
    rows = rows_with("arena", tmp_path, "kth_sp2", dialect=cell)
    files = [f"{tmp_path}/{name}" for name in ("slurm.conf", "accounts.txt")]
    assert files_in(rows["kth_sp2"].dialect) == files
    assert {row.dialect for row in rows.values()} == {cell, "full"}
    (tmp_path / "slurm.conf").unlink()
    with pytest.raises(ConfigError, match=r"'kth_sp2': column 'dialect': .*slurm.conf"):
        rows_with("arena", tmp_path, "kth_sp2", dialect=cell)
