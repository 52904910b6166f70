"""The cell grammar of dialects: every switch, the registered copies, and invalid cells."""

from dataclasses import replace

import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.slurm_site import Scheduling
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of, switches_of
from schedlab.queue.dialects import ARTEFACT, DIALECTS, Dialect
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import SlurmSettings, default_reservations

SLURM = DIALECTS["slurm"]
CHANGED = {
    "window=16": {"window": 16},
    "window=64": {"window": 64},
    "window=all": {"window": None},
    "latency=0": {"latency": 0.0},
    "ties_of=none": {"ties_of": {}},
    "ties=submit": {"ties": "submit"},
    "ties=lifo": {"ties": "lifo"},
    "shadow=merged": {"shadow": "merged"},
    "extra=false": {"extra": False},
    "first_alone=false": {"first_alone": False},
}


@pytest.mark.parametrize("switch", CHANGED)
def test_switch_changes_only_its_field(switch):
    cell = f"artefact+{switch}"
    assert dialect_of(cell) == replace(ARTEFACT, name=cell, **CHANGED[switch])


def test_order_of_legrand2018_is_a_switch():
    cell = "ocs+by_events=false"
    assert dialect_of(cell) == replace(DIALECTS["ocs_in_order"], name=cell)


@pytest.mark.parametrize("name", DIALECTS)
def test_bare_name_is_the_registered_dialect(name):
    assert dialect_of(name) is DIALECTS[name]


def test_slurm_parameters_are_switches():
    cell = (
        "slurm+bf_interval=300+bf_resolution=2m+bf_window=2d+bf_max_job_test=100+defer=true"
        "+bf_max_job_start=3+bf_node_space_size=7+bf_window_linear=45+bf_min_age_reserve=1h"
        "+default_queue_depth=9+sched_interval=90+batch_sched_delay=8"
    )
    scheduling = Scheduling(
        bf_interval=300, bf_resolution=120, bf_window=172_800, bf_max_job_test=100, defer=True,
        bf_max_job_start=3, bf_node_space_size=7, bf_window_linear=45, bf_min_age_reserve=3600,
        default_queue_depth=9, sched_interval=90, batch_sched_delay=8,
    )  # fmt: skip
    assert dialect_of(cell) == Dialect(cell, slurm=SlurmSettings(scheduling))
    assert {part.split("=")[0] for part in cell.split("+")[1:]} == switches_of(SLURM).keys()


def test_the_window_of_slurm_is_in_minutes():
    found = [dialect_of(f"slurm+bf_window={text}").slurm for text in ("1440", "1440m", "86400s")]
    assert found == [SLURM.slurm] * 3


def test_switches_of_a_queue_take_values_with_units_and_pairs():
    found = dialect_of("artefact + latency=0.5s + ties_of=f1:lifo")
    assert (found.latency, dict(found.ties_of)) == (0.5, {"f1": "lifo"})
    assert found.window == ARTEFACT.window
    assert dialect_of("full+latency=0.25").latency == 0.25


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("slrum", "unknown dialect 'slrum'; did you mean 'slurm'.; one of full, lifo, ocs, ocs_in"),
        ("", "unknown dialect ''; one of"),
        ("slurm+bf_intrval=9", r"'slurm\+bf_intrval=9': unknown switch 'bf_intrval'; did you mean"),
        ("slurm+interval=9", "unknown switch 'interval': Slurm's name is bf_interval; one of bf_i"),
        ("slurm+max_test=9", "unknown switch 'max_test': Slurm's name is bf_max_job_test"),
        ("slurm+close=9", "unknown switch 'close': ends are grouped as in Slurm, or by bf_window_"),
        ("slurm+phase=9", "unknown switch 'phase': it is no parameter of Slurm; schedlab.queue.s"),
        ("slurm+bf_job_part_count_reserve=1", "; reservations have an option of their own"),
        ("slurm+reservations=head", "unknown switch 'reservations'; reservations have an option"),
        ("slurm+ties=lifo", "unknown switch 'ties'.*; one of bf_interval, bf_window"),
        ("slurm+slurm=1", "unknown switch 'slurm'"),
        ("slurm+bf_interval", r"switch 'bf_interval' has no value; write bf_interval=VALUE"),
        ("slurm+bf_interval=", "switch 'bf_interval' has no value"),
        ("slurm+", "unknown switch ''"),
        (
            "slurm+bf_interval=0",
            r"dialect 'slurm\+bf_interval=0': bf_interval is 0, must be at least 1",
        ),
        ("slurm+bf_interval=-3", "bf_interval=-3: duration: -3 is a number without a unit"),
        ("slurm+bf_max_job_test=1.5", "bf_max_job_test=1.5: must be a whole number"),
        ("slurm+bf_max_job_test=9999999999", "must be at most 2147483646"),
        ("slurm+bf_interval=99999999999", "must be at most 2147483646"),
        ("slurm+bf_window=99999d", "must be at most 2147483646"),
        ("slurm+defer=falsch", "defer=falsch: is not one of true, false; did you mean 'false'"),
        ("slurm+defer=true+defer=false", "switch 'defer' is given twice"),
        ("artefact+window=0", "window is 0, must be at least 1"),
        ("artefact+latency=nan", "latency=nan: duration: 'nan' is not a duration"),
        ("artefact+ties=lifoo", "is not one of submit, lifo, .*; did you mean 'lifo'"),
        ("artefact+ties_of=sp:lifo", "must be none or POLICY:TIES; did you mean 'spt'"),
        ("artefact+one_pass=true", "unknown switch 'one_pass'"),
        ("ocs+window=16", "unknown switch 'window'; one of by_events"),
    ],
)
def test_invalid_cell_is_rejected_with_the_nearest_name(cell, message):
    with pytest.raises(ValueError, match=message):
        dialect_of(cell)


def test_a_switch_changes_the_schedule():
    """Two jobs that end early: the next pass of backfilling starts the third job."""
    jobs = Jobs([1, 2, 3], [0, 1, 2], [100, 50, 50], [600, 600, 60], [3, 4, 1])
    starts = {
        cell: simulate(Run(jobs, 4, get("fcfs"), dialect=dialect_of(cell), reservations="every"))
        .start.tolist()
        for cell in ("slurm", "slurm+bf_interval=300", "slurm+bf_interval=5m")
    }  # fmt: skip
    assert starts["slurm"][2] == 30
    # the pass at 0 precedes the submission, the next one comes at 300; jobs 1 and 2 are over then
    assert starts["slurm+bf_interval=300"][2] > 30
    assert starts["slurm+bf_interval=300"] == starts["slurm+bf_interval=5m"]


def test_slurm_reserves_for_every_job_and_the_textbook_for_the_head():
    assert default_reservations(dialect_of("slurm+bf_interval=60")) == "every"
    assert {default_reservations(dialect_of(name)) for name in ("full", "ocs", "artefact")} == {
        "head"
    }
