"""Processors, nodes and memory of a dump."""

import pytest

from sacct_case import job, read, rules
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.sacct_lines import SacctError
from schedlab.traces.slurm.sacct_requests import count, cpus

HEAD = "JobIDRaw|Submit|ElapsedRaw|AllocCPUS|NCPUS|ReqCPUS|AllocTRES|ReqTRES\n"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("0", 0), ("1023", 1023), ("1K", 1024), ("1.50K", 1536), ("2M", 2 * 1024**2)),
        *((text, None) for text in ("", "x", "-1", "1.5", "1.01K", "4k", "1e3", "1KK")),
    ],
)
def test_large_numbers_have_a_letter(text, number):
    assert count(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("cpu=4,mem=8G,node=1,billing=4", 4),
        ("billing=4,cpu=2K", 2048),
        ("mem=8G,gres/vcpu=3", -1),
        ("", -1),
        ("cpu=many", None),
    ],
)
def test_processors_are_one_of_the_trackable_resources(text, number):
    assert cpus(text) == number


@pytest.mark.parametrize(
    ("allocated", "requested", "gpu_jobs"),
    [
        ("cpu=4,gres/gpu=2", "cpu=4", 1),
        ("cpu=4", "gres/gpu:a100=1,cpu=4", 1),  # of a type
        ("cpu=4,gres/gpu=10", "", 1),
        ("cpu=4,gres/gpu=0", "cpu=4,gres/gpu:a100=00", 0),
        ("cpu=4,gres/gpumem=8G", "cpu=4,gres/mps=3", 0),
        ("", "", 0),
    ],
)
def test_jobs_with_gpus_are_counted(tmp_path, allocated, requested, gpu_jobs):
    path = tmp_path / "dump.txt"
    lines = [f"{job}|1700000000|60|4|4|4|{{}}|{{}}" for job in (7, 8)]
    text = lines[0].format(allocated, requested) + "\n" + lines[1].format("cpu=4", "cpu=4")
    path.write_text(f"{HEAD}{text}\n")
    assert read_sacct(path).gpu_jobs == gpu_jobs
    path.write_text("JobIDRaw|Submit|ElapsedRaw|NCPUS\n7|1700000000|60|4\n")
    assert read_sacct(path).gpu_jobs == 0


@pytest.mark.parametrize(
    ("cells", "procs", "asked"),
    [
        ("4|8|2|cpu=16|cpu=32", 4, 2),  # allocated before all others
        ("|8||cpu=16|cpu=32", 8, 32),
        ("|0|0|cpu=16|cpu=32", 16, 32),
        ("||||", -1, -1),
        ("0|0|0||", 0, 0),
        ("||5||", 5, 5),  # it ran: as many as it asked for
        ("0|||mem=1G|cpu=6", 6, 6),
    ],
)
def test_processors_are_from_the_first_field_that_has_them(tmp_path, cells, procs, asked):
    path = tmp_path / "dump.txt"
    path.write_text(f"{HEAD}7|1700000000|60|{cells}\n")
    jobs = read_sacct(path).jobs
    assert (jobs["procs"][0], jobs["requested_procs"][0]) == (procs, asked)


@pytest.mark.parametrize(
    ("elapsed", "found"), [("00:00:01", ["procs_requested"]), ("00:00:00", [""])]
)
def test_only_a_job_that_ran_gets_its_requested_processors(tmp_path, elapsed, found):
    log = read(tmp_path, job(NCPUS="0", ReqCPUS="6", Elapsed=elapsed))
    assert rules(log) == found
    assert log.jobs["procs"][0] == (6 if found[0] else 0)
    # its memory is per requested processor
    assert log.jobs["requested_memory"][0] == 16 * 1024**2 // 6


@pytest.mark.parametrize(
    ("text", "kilobytes"),
    [
        ("4Gc", 4 * 1024**2),  # per processor
        ("16Gn", 16 * 1024**2 * 2 // 8),  # per node, of two, with 8 processors
        ("16G", 16 * 1024**2 // 8),  # of the job
        ("16000M", 16000 * 1024 // 8),
        ("800K", 100),
        ("16", 16 * 1024 // 8),
        ("1.50T", 3 * 1024**3 // 16),
        *((text, -1) for text in ("0", "0n", "", "?", "7K")),
    ],
)
def test_memory_is_in_kilobytes_per_processor(tmp_path, text, kilobytes):
    assert read(tmp_path, job(ReqMem=text)).jobs["requested_memory"].tolist() == [kilobytes]


@pytest.mark.parametrize("field", ["NCPUS", "ReqCPUS", "NNodes"])
def test_invalid_number_is_named(tmp_path, field):
    message = rf"line 2: field {field} 'x' is not a whole number; export with sacct --noconvert"
    with pytest.raises(SacctError, match=message):
        read(tmp_path, job(**{field: "x"}))
