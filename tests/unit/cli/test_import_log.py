"""Importing a dump, as a user calls it."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from sacct_case import job, write
from schedlab.cli import app
from schedlab.traces.readers import READERS
from schedlab.traces.swf import read_swf
from schedlab.workbench.log import load_log

WAITS = {"State": "PENDING", "Start": "Unknown", "End": "Unknown", "Elapsed": "00:00:00"}
NEVER = {"State": "CANCELLED by 7", "Start": "None", "Elapsed": "00:00:00", "NCPUS": "0"}


@pytest.fixture
def dump(tmp_path):
    """Seven lines: two jobs with a limit, one without, and what is dropped here or by cleaning."""
    jobs = [
        job(1),
        job(2, Timelimit="Partition_Limit"),
        job(3, Elapsed="08:00:00"),
        job(4, State="NODE_FAIL", Elapsed="02:00:00"),
        job(4, **(WAITS | {"Submit": "2024-03-01T12:00:00"})),
        job(5, **NEVER),
        job(5) | {"JobID": "5.batch", "JobIDRaw": "5.batch"},
    ]
    return str(write(tmp_path, *jobs))


def call(*arguments):
    return CliRunner().invoke(app, ["import-sacct", *arguments], env={"COLUMNS": "120"})


def test_losses_are_printed_first_in_jobs_and_core_hours(dump, tmp_path):
    """Of 144 core-hours 16 are of a run that is dropped, and of the 128 left 32 have no limit."""
    result = call(dump, str(tmp_path / "site.swf.gz"), "--timezone", "UTC")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:7] == [
        "the import drops 2 jobs (33.3%) and 16 core-hours (11.1%) of the dump's 6 jobs:",
        "  run_again: 1 job (16.7%) and 16 core-hours (11.1%)",
        "  not_ended: 1 job (16.7%) and 0 core-hours (0.0%)",
        "rules full_estimate will drop 2 jobs (50.0%) and 32 core-hours (25.0%) of the jobs "
        "imported:",
        "  runtime_positive: 1 job (25.0%) and 0 core-hours (0.0%)",
        "  estimate_positive: 1 job (25.0%) and 32 core-hours (25.0%)",
        "7 lines = 4 jobs (1 with a field changed) + 3 dropped",
    ]
    assert "--default-limit 24h" in result.stderr
    assert "fields not read: JobName" in result.stdout
    assert "a dump does not contain the machine's size: " in result.stderr
    assert "24 ran jobs at most; give --processors, or --partitions" in result.stderr


def test_dump_is_not_overwritten(dump, tmp_path):
    before = Path(dump).read_text()
    for files in ((dump,), (str(tmp_path / "a.swf"), "--ledger", dump)):
        result = call(dump, *files, "--timezone", "UTC")
        assert (result.exit_code, "is the log that is read" in result.output) == (1, True)
    assert Path(dump).read_text() == before


def test_the_log_is_read_by_the_other_commands(dump, tmp_path):
    log = str(tmp_path / "site.swf.gz")
    assert call(dump, log, "--timezone", "UTC", "--processors", "32").exit_code == 0
    result = CliRunner().invoke(app, ["simulate", log, "--policy", "fcfs"])
    assert result.exit_code == 0, result.output
    assert "2 jobs on 32 processors" in result.output


@pytest.mark.parametrize("name", ["site.parquet", "site.swf.gz"])
def test_a_table_keeps_requests_and_the_header(dump, tmp_path, name):
    out = tmp_path / name
    result = call(dump, str(out), "--timezone", "UTC", "--processors", "32")
    assert result.exit_code == 0, result.output
    counts = "nodes 4, memory 4, partition 4, qos 4, account 4, user 4"
    note = "" if name == "site.parquet" else "; only a log that ends with .parquet keeps them"
    assert f"requests of jobs: {counts}{note}\n" in result.stdout.replace("\n  ", " ")
    log = load_log(out)
    assert (log.processors, log.queues, log.zone) == (32, {1: "main"}, "UTC")
    assert (log.jobs.requests is None) == bool(note)
    if not note:
        assert log.jobs.requests.known() == dict.fromkeys(log.jobs.requests.known(), 2)
        assert pa.types.is_dictionary(pq.read_schema(out).field("request.user").type)


@pytest.mark.parametrize(
    ("limits", "options", "seconds"),
    [
        (None, ["--default-limit", "2-12"], 216000),
        (None, ["--default-limit", "90m"], 5400),
        ("PartitionName=main MaxTime=02:00:00\n", [], 7200),
        ("PartitionName=main MaxTime=UNLIMITED\n", ["--default-limit", "00:30:00"], 1800),
    ],
)
def test_limits_are_given(dump, tmp_path, limits, options, seconds):
    if limits:
        path = tmp_path / "partitions.txt"
        path.write_text(limits)
        options = [*options, "--partitions", str(path)]
    log = tmp_path / "site.swf"
    result = call(dump, str(log), "--timezone", "UTC", *options)
    assert result.exit_code == 0, result.output
    jobs = read_swf(log).jobs
    assert jobs.loc[jobs["number"] == 2, "requested_time"].tolist() == [seconds]
    assert "estimate_positive" not in result.output


def test_the_ledger_has_every_line(dump, tmp_path):
    ledger = tmp_path / "ledger.csv"
    result = call(
        dump, str(tmp_path / "a.swf"), "--timezone", "UTC", "--ledger", str(ledger), "--salt", "s"
    )
    assert result.exit_code == 0, result.output
    rows = pd.read_csv(ledger)
    assert rows.drop_duplicates("line")["fate"].value_counts().to_dict() == {
        "imported": 3,
        "dropped": 3,
        "changed": 1,
    }
    assert f"written: {tmp_path / 'a.swf'}, {ledger}" in result.output


@pytest.mark.parametrize(("gpus", "warned"), [("gres/gpu=4", True), ("gres/gpu=0", False)])
def test_gpus_that_are_not_modeled_give_a_warning(tmp_path, gpus, warned):
    dump = write(tmp_path, job(1), job(2))
    cells = ("AllocTRES", f"cpu=8,{gpus}", "cpu=8")
    lines = dump.read_text().splitlines()
    dump.write_text("".join(f"{line}|{cell}\n" for line, cell in zip(lines, cells, strict=True)))
    result = call(str(dump), str(tmp_path / "a.swf"), "--timezone", "UTC")
    assert result.exit_code == 0, result.output
    warnings = [line for line in result.stderr.splitlines() if "have GPUs" in line]
    assert [line.startswith("1 of 2 jobs have GPUs, which") for line in warnings] == [True] * warned


def test_nonexistent_times_give_a_warning(tmp_path):
    dump = write(tmp_path, job(Submit="2024-03-31T02:30:00", Eligible="Unknown"))
    result = call(str(dump), str(tmp_path / "a.swf"), "--timezone", "Europe/Paris")
    assert "is --timezone right?" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "site.txt: line 2: field Submit '2024-03-01T10:00:00' is a local time, and a dump"),
        (["--timezone", "Pari"], "no time zone 'Pari'; names are like Europe/Paris"),
        (["--timezone", "UTC", "--salt", ""], "the salt is empty"),
        (["--timezone", "UTC", "--default-limit", "x"], "--default-limit: 'x' is not a duration"),
        (["--timezone", "UTC", "--partitions", "missing"], "missing: No such file"),
    ],
)
def test_mistakes_end_in_one_clear_line(dump, tmp_path, options, message):
    out = tmp_path / "site.swf"
    result = call(dump, str(out), *options)
    assert result.exit_code == 1
    assert message in result.stderr
    assert not out.exists()


def test_dump_without_jobs_is_rejected_with_the_fate_of_its_lines(tmp_path):
    dump = write(tmp_path, job(1, **WAITS), job(2, **WAITS))
    result = call(str(dump), str(tmp_path / "a.swf"), "--timezone", "UTC")
    assert result.exit_code == 1
    assert f"{dump}: no job is left of 2 lines: not_ended 2" in result.stderr


def test_a_folder_in_place_of_a_ledger_is_named_as_it_was_given(dump, tmp_path):
    words = ("--timezone", "UTC", "--ledger", str(tmp_path))
    result = call(dump, str(tmp_path / "a.swf"), *words)
    assert result.exit_code == 1
    assert f"\n{tmp_path}: Is a directory" in result.stderr


PARTITIONS = """PartitionName=main Nodes=n[1-2] TotalCPUs=16 MaxTime=2-0
PartitionName=long Nodes=n[1-3] TotalCPUs=48 MaxTime=2-0
"""


def test_the_size_is_that_of_the_partitions_distinct_nodes(dump, tmp_path):
    """Sixteen, and 32 more on the third node."""
    (tmp_path / "partitions.txt").write_text(PARTITIONS)
    given = ["--timezone", "UTC", "--partitions", str(tmp_path / "partitions.txt")]
    result = call(dump, str(tmp_path / "a.swf"), *given)
    assert result.exit_code == 0, result.output
    assert "partitions.txt: 3 nodes with 48 processors" in result.stdout
    assert "a dump does not contain the machine's size" not in result.output
    assert read_swf(tmp_path / "a.swf").header.integer("MaxProcs") == 48
    result = call(dump, str(tmp_path / "b.swf"), *given, "--processors", "64")
    assert read_swf(tmp_path / "b.swf").header.integer("MaxProcs") == 64


def test_estimated_size_is_reported(dump, tmp_path):
    (tmp_path / "p.txt").write_text(
        "PartitionName=a Nodes=n[1-3] TotalCPUs=48\nPartitionName=b Nodes=n[3-4] TotalCPUs=24\n"
    )
    result = call(
        dump, str(tmp_path / "a.swf"), "--timezone", "UTC", "--partitions", str(tmp_path / "p.txt")
    )
    assert "4 nodes with 60 processors" in result.stdout
    assert "is estimated from the mean of their nodes" in " ".join(result.stderr.split())


RECORD = "03/01/2024 14:10:00;E;{}.srv;user=ada queue=work ctime=1709287200 etime=1709287200 "
RECORD += "start=1709287800 exec_host=n1/0*4 Resource_List.walltime=24:00:00 end=1709302200 "
RECORD += "Exit_status=0 resources_used.walltime=04:00:00\n"


def test_records_of_pbs_become_a_log_that_commands_read(tmp_path):
    records, out = tmp_path / "records.txt", tmp_path / "site.swf"
    records.write_text("".join(map(RECORD.format, range(1, 4))) + "03/01/2024 15:00:00;Q;4.srv;\n")
    made = CliRunner().invoke(
        app, ["import-log", str(records), str(out), "--ledger", str(tmp_path / "ledger.csv")]
    )
    assert made.exit_code == 0, made.output
    assert "4 lines = 3 jobs (0 with a field changed) + 1 dropped" in made.output
    assert "record_other: 1 (no end of a job, which has a record of its own)" in made.output
    assert read_swf(out).jobs["procs"].tolist() == [4, 4, 4]
    assert len(pd.read_csv(tmp_path / "ledger.csv")) == 4
    for log in (records, out):
        found = CliRunner().invoke(app, ["simulate", str(log), "--processors", "8"])
        assert found.exit_code == 0, found.output


def test_formats_are_listed_with_what_is_read_and_how_to_export():
    printed = " ".join(CliRunner().invoke(app, ["formats"], env={"COLUMNS": "120"}).output.split())
    for reader in READERS:
        for words in (reader.name, reader.reads, reader.leaves, reader.export):
            assert " ".join(words.split()) in printed
    assert "gzip (.gz), xz (.xz), bzip2 (.bz2), zstd (.zst)" in printed


def test_a_table_with_a_map_of_its_columns_is_imported(tmp_path):
    table, columns, out = (tmp_path / name for name in ("jobs.csv", "map.tsv", "site.parquet"))
    table.write_text(
        "id,begun,waited,ran,n\n1,1709287200,60,2,8\n2,1709287300,0,soon,8\n3,5,0,1,8\n"
    )
    rows = ["column\tfield\tunit", "id\tJobIDRaw\t-", "begun\tSubmit\ts", "waited\tWait\ts"]
    columns.write_text("\n".join([*rows, "ran\tElapsedRaw\tmin", "n\tNCPUS\t-"]) + "\n")
    command = ["import-log", str(table), str(out), "--columns", str(columns)]
    made = CliRunner().invoke(app, [*command, "--processors", "64"], env={"COLUMNS": "120"})
    assert made.exit_code == 0, made.output
    assert "line_unreadable: 1 job" in made.output
    assert pd.read_parquet(out)["runtime"].tolist() == [60, 120]
    without = CliRunner().invoke(app, [command[0], str(table), str(out)], env={"COLUMNS": "400"})
    assert without.exit_code == 1
    assert "is a table of text with commas between values; name its columns in a map" in " ".join(
        without.output.split()
    )
