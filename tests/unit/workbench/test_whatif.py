"""What if: a table solved by hand, and a real queue compared with what happened later."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from schedlab.policies import ScoreError
from schedlab.workbench.queue_state import load_queue
from schedlab.workbench.whatif import AS_IT_STANDS, what_if

SLURM = Path(__file__).parent / "slurm-22.05"
#: on 4 processors, at 10: 2 of them are in use until 30; the fifth to wait comes at 12
FIVE = """\
1|RUNNING|2|0:25|0:05|5|0|ann|main|5|(null)|None
2|PENDING|3|0:50|0:00|N/A|1|bob|main|1|(null)|Priority
3|PENDING|1|0:20|0:00|N/A|2|bob|main|2|(null)|Priority
4|PENDING|1|0:21|0:00|N/A|3|ann|main|3|(null)|Priority
5|PENDING|4|0:10|0:00|N/A|4|ann|main|9|(null)|Resources
6|PENDING|1|0:05|0:00|12|5|ann|main|4|(null)|BeginTime
7|PENDING|9|0:05|0:00|N/A|6|ann|main|8|(null)|Priority
"""


@pytest.fixture
def five(tmp_path):
    (tmp_path / "squeue.txt").write_text(FIVE)
    (tmp_path / "sinfo.txt").write_text("a|main|mixed|2/2/0/4\n")
    return load_queue(tmp_path / "squeue.txt", tmp_path / "sinfo.txt")


def test_five_jobs_by_hand(five):
    """As `tests/unit/queue/test_forecast.py` has them; over 40 s from 10 on."""
    found = what_if(five, ["fcfs"], hours=40 / 3600)
    assert found.starts["FCFS"].to_dict() == {"2": 30, "3": 10, "4": 10, "5": 80, "6": 31}
    # 29, 8, 7, 76 and 19 s
    row = found.table.loc["FCFS"]
    assert row["mean_wait"] == pytest.approx((29 + 8 + 7 + 76 + 19) / 5)
    assert row["median_wait"] == 19
    assert row["p95_wait"] == pytest.approx(29 + 0.8 * (76 - 29))
    assert row["started"] == 4
    # until 50: 2 for 20 s, 3 for 20, one each for 20, 21 and 5
    assert row["utilisation"] == pytest.approx((40 + 60 + 20 + 21 + 5) / 160)
    assert five.stuck.to_dict("records") == [
        {"id": "7", "why": "needs 9 processors, there are 4"}
    ]  # fmt: skip


def test_the_end_of_the_hours_is_outside(five):
    """Job 5 starts at 80, 70 s ahead."""
    assert what_if(five, ["fcfs"], hours=70 / 3600).table.loc["FCFS", "started"] == 4
    assert what_if(five, ["fcfs"], hours=71 / 3600).table.loc["FCFS", "started"] == 5


def test_the_first_row_is_the_order_of_the_site(five):
    """The widest job is first: at 30, and only who is over by then goes before."""
    found = what_if(five, ["fcfs", "spt"], ["head", "none"], threads=2)
    assert list(found.table.index) == [
        f"{label}, {each}" for label in (AS_IT_STANDS, "FCFS", "SPT") for each in ("head", "none")
    ]
    starts = found.starts[f"{AS_IT_STANDS}, head"]
    assert starts.to_dict() == {"2": 40, "3": 10, "4": 40, "5": 30, "6": 12}
    assert list(found.starts.columns) == list(found.table.index)


def test_order_of_the_site_needs_priorities(tmp_path):
    (tmp_path / "a.swf").write_text("; MaxProcs: 4\n")
    line = "1 0 -1 -1 -1 -1 -1 3 50 -1 -1 1 1 1 1 1 -1 -1\n"
    (tmp_path / "b.swf").write_text(line)
    found = what_if(load_queue(tmp_path / "a.swf", tmp_path / "b.swf"), ["fcfs"])
    assert list(found.table.index) == ["FCFS"]
    assert found.starts["FCFS"].tolist() == [0]


def test_mistakes_name_the_fault(five, tmp_path):
    for hours in (0, 0.0001, 0.999 / 3600, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"hours is .*, must be at least a second \(1/3600\)"):
            what_if(five, ["fcfs"], hours=hours)
    assert what_if(five, ["fcfs"], hours=1 / 3600).table.loc["FCFS", "utilisation"] == 1
    with pytest.raises(ValueError, match="policy FCFS is given twice"):
        what_if(five, ["fcfs", "spt", "FCFS"])
    with pytest.raises(ValueError, match="reservations none is given twice"):
        what_if(five, ["fcfs"], ["none", "none"])
    with pytest.raises(ValueError, match="unknown reservations 'all'; one of"):
        what_if(five, ["fcfs"], ["all"])
    with pytest.raises(ScoreError, match=r"policy 'log.*: the score of job 2 is"):
        what_if(five, ["log(1 - n) * r"])
    with pytest.raises(ScoreError, match=r"the score of job 5 is nan .*, w = 6\)"):
        what_if(five, ["log(3.5 - n) * w"])
    (tmp_path / "squeue.txt").write_text(FIVE.splitlines()[-1])
    with pytest.raises(ValueError, match=r"none of the 1 jobs .* things are: job 7: needs 9 pro"):
        what_if(load_queue(tmp_path / "squeue.txt", tmp_path / "sinfo.txt"), ["fcfs"])


def test_predictions_match_a_real_slurm():
    """Its jobs used their limits up; whole starts within a second, closer than its own forecast."""
    found = what_if(load_queue(SLURM / "squeue.txt", SLURM / "sinfo.txt"), [])
    then = pd.read_csv(SLURM / "then.tsv", sep="\t", index_col="id")
    real = (pd.to_datetime(then["started"]) - pd.Timestamp(0)) // pd.Timedelta(seconds=1)
    error = (found.starts[AS_IT_STANDS].loc[real.index] - real).abs()
    assert error.max() <= 1
    said = (pd.to_datetime(then["foreseen_by_slurm"]) - pd.Timestamp(0)) // pd.Timedelta(seconds=1)
    slurms = (said - real).abs()
    assert error[slurms.notna()].mean() < slurms.mean()
    order = np.argsort(found.starts[AS_IT_STANDS].loc[real.index], kind="stable")
    assert (np.diff(real.to_numpy()[order]) >= -1).all()
