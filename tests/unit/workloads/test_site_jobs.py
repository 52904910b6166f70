"""Jobs and files of the synthetic site."""

import numpy as np
import pandas as pd
import pytest

from schedlab.traces.slurm.site_files import read_site
from schedlab.workloads import site_files
from schedlab.workloads.site_jobs import DAY, FORMS, HOUR, generate

JOBS, DAYS = 8000, 56


@pytest.fixture(scope="module")
def jobs():
    return generate(JOBS, DAYS, seed=3)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "slurm.conf").write_text(site_files.slurm_conf())
    (folder / "accounts.txt").write_text(site_files.accounts_script())
    return read_site(folder / "slurm.conf", folder / "accounts.txt")


def test_the_files_describe_the_site(site):
    assert site.machine.processors == site_files.PROCESSORS
    assert len(site.machine.kinds) == 4
    assert [each.name for each in site.machine.partitions] == ["batch", "gpu", "short"]
    assert {each.name for each in site.qos} == set(site_files.QOS)
    assert sum(each.user != "" for each in site.associations) == len(site_files.users_of()) + 1
    assert site.not_modeled == ()


def test_a_seed_decides_all_jobs(jobs):
    pd.testing.assert_frame_equal(jobs, generate(JOBS, DAYS, seed=3))
    assert not jobs["submit"].equals(generate(JOBS, DAYS, seed=4)["submit"])


def test_jobs_are_in_order_within_the_log(jobs):
    assert len(jobs) == JOBS
    assert jobs["submit"].is_monotonic_increasing
    assert jobs["submit"].between(0, DAYS * DAY - 1).all()
    assert jobs["number"].tolist() == list(range(1, JOBS + 1))


def test_more_jobs_come_by_day_on_working_days_and_later(jobs):
    hour, day = jobs["submit"] // HOUR % 24, jobs["submit"] // DAY % 7
    assert hour.between(9, 17).mean() > 2 * hour.isin([0, 1, 2, 3, 4, 5, 6, 7, 8]).mean()
    assert (day >= 5).mean() < 0.2
    assert (jobs["submit"] > DAYS * DAY / 2).mean() > 0.52


def test_run_times_are_within_round_limits(jobs):
    limit = jobs["requested_time"]
    assert (jobs["runtime"] <= limit).all()
    assert (jobs["runtime"] >= 1).all()
    assert limit.nunique() < 60
    assert 0.02 < (jobs["runtime"] == limit).mean() < 0.25


@pytest.mark.parametrize("partition", ["batch", "gpu", "short"])
def test_each_partition_has_its_load(jobs, partition):
    of = jobs[jobs["request.partition"] == partition]
    work = (of["runtime"] * of["procs"]).sum() / (DAYS * DAY)
    forms = [form for form in FORMS if form.partition == partition]
    wanted = sum(form.load * form.pool * (8 if form.gpus else 1) for form in forms)
    # limits cut some run times after they were scaled
    assert 0.6 * wanted < work < 1.01 * wanted


def test_jobs_of_a_user_follow_each_other_after_minutes(jobs):
    gaps = jobs.groupby("request.user")["submit"].diff().dropna()
    assert 60 < gaps.median() < 1800


def test_gpus_are_asked_for_per_node(jobs):
    gpu = jobs[jobs["request.partition"] == "gpu"]
    number = gpu["request.gres"].str.removeprefix("gpu:").astype(int)
    np.testing.assert_array_equal(gpu["procs"], 8 * number)
    assert (jobs.loc[jobs["request.partition"] != "gpu", "request.gres"] == "").all()


@pytest.mark.parametrize(("count", "days"), [(0, 7), (10, 0.5)])
def test_a_log_without_jobs_or_days_is_refused(count, days):
    with pytest.raises(ValueError, match="there must be a job, and a day"):
        generate(count, days, seed=1)
