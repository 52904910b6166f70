"""What jobs ask for, in dumps of sacct, tables and clean jobs."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sacct_case import JOB
from schedlab.core.requests import DEFAULTS, Requests
from schedlab.traces.cleaning import Cleaning
from schedlab.traces.columns import ColumnsError, read_columns, write_columns
from schedlab.traces.readers import read_log
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.submit_line import read_submit_lines
from schedlab.workbench.log import load_log

PER_NODE = {"memory": 4096, "per_cpu": False}
#: eight processors on two nodes for four hours
PLAIN = {name: JOB[name] for name in JOB if name not in ("JobName", "ReqMem")}


def read(folder, *jobs, **options):
    """Read a dump with the fields of the first job."""
    rows = [
        PLAIN | {"JobID": str(number), "JobIDRaw": str(number)} | cells
        for number, cells in enumerate(jobs, start=1)
    ]
    path = Path(folder) / "dump.txt"
    lines = ["|".join(rows[0]), *("|".join(row[name] for name in rows[0]) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_sacct(path, timezone="UTC", **options)


def requests_of(log):
    """Return the requests of the first job that are not unknown."""
    (first, *_) = Requests.of(log.jobs).to_frame().to_dict("records")
    return {name: value for name, value in first.items() if value != DEFAULTS[name]}


def test_nodes_of_jobs_are_kept_and_unknown_ones_are_empty(tmp_path):
    lists = ["n[1-2],x3", "None assigned", "(null)", "Unknown", "", "n[1-", "n4"]
    log = read(tmp_path, *({"NodeList": text} for text in lists))
    assert log.jobs["ran_on"].tolist() == ["n[1-2],x3", "", "", "", "", "", "n4"]
    (row,) = log.ledger[log.ledger["rule"] != ""].to_dict("records")
    assert (row["rule"], row["number"], row["before"]) == ("nodes_unreadable", 6, "n[1-")
    assert (row["after"], row["fate"]) == ("", "changed")
    assert Requests.of(log.jobs).known().keys() == {"nodes", "partition", "qos", "account", "user"}
    write_columns(tmp_path / "log.parquet", log, log.header)
    kept = load_log(tmp_path / "log.parquet", "sc17_estimate", 64)
    assert kept.frame["ran_on"].tolist() == log.jobs["ran_on"].tolist()
    (jobs, _, notes) = read_columns(tmp_path / "log.parquet")
    assert (jobs["ran_on"].tolist(), notes) == (kept.frame["ran_on"].tolist(), ())


def test_log_without_lists_of_nodes_has_no_such_column(tmp_path):
    assert "ran_on" not in read(tmp_path, {"NodeList": "None assigned"}).jobs
    assert "ran_on" not in read(tmp_path, {}).jobs


@pytest.mark.parametrize(("second", "nodes"), [("g1", "n[1-2],g1"), ("None assigned", "")])
def test_heterogeneous_job_has_the_nodes_of_all_components(tmp_path, second, nodes):
    components = [
        {"JobID": f"7+{k}", "JobIDRaw": str(7 + k), "NodeList": text}
        for k, text in enumerate(["n[1-2]", second])
    ]
    other = {"JobID": "9", "JobIDRaw": "9", "NodeList": "n9"}
    jobs = read(tmp_path, *components, other).jobs
    assert jobs["ran_on"].tolist() == [nodes, "n9"]


@pytest.mark.parametrize(
    ("cells", "requests"),
    [
        ({"ReqMem": "4Gn"}, {"memory": 4096}),
        ({"ReqMem": "2800Mc"}, {"memory": 2800, "per_cpu": True}),
        ({"ReqMem": "16G", "ReqTRES": "cpu=8,mem=16G,node=2"}, {"memory": 8192}),
        ({"ReqMem": "16G", "ReqTRES": "cpu=8,mem=32G,node=2"}, {"memory": 16384}),
        # on more nodes than requested: only memory per processor explains it
        ({"ReqMem": "16G", "ReqTRES": "node=1"}, {"memory": 2048, "per_cpu": True, "nodes": 1}),
        ({"ReqMem": "16G", "NNodes": "0"}, {"memory": 2048, "per_cpu": True, "nodes": 0}),
        ({"ReqMem": "16G", "AllocTRES": "mem=15G"}, {"memory": 0}),
        ({"ReqMem": "16G", "AllocTRES": "mem=16G"}, {"memory": 8192}),
        ({"ReqMem": "1000K"}, {"memory": 1}),
        ({"ReqMem": "0"}, {"memory": 0}),
        ({"ReqMem": ""}, {"memory": -1}),
        ({"ReqNodes": "3", "ReqTRES": "cpu=8,node=1"}, {"nodes": 3}),
        ({"ReqNodes": "", "ReqTRES": "cpu=8,node=1"}, {"nodes": 1}),
        ({"ReqTRES": "gres/gpu=4,node=2"}, {"gres": "gpu:2"}),
        ({"ReqTRES": "gres/gpu=4,gres/gpu:v100=4,node=2"}, {"gres": "gpu:v100:2"}),
        ({"ReqTRES": "gres/gpu=6,gres/gpu:v100=2,gres/mps=3"}, {"gres": "gpu:v100:1,gpu:2,mps:2"}),
        ({"ReqTRES": "cpu=8,gres/gpumem=8G,gres/gpu=0"}, {"gres": ""}),
        ({"AllocTRES": "cpu=8,gres/gpu=4"}, {"gres": "gpu:2"}),
        (
            {"ReqTRES": "gres/gpu=1,node=1", "AllocTRES": "gres/gpu=4"},
            {"gres": "gpu:2", "nodes": 1},
        ),
        ({"JobID": "123_4"}, {"array": 123}),
        ({"Eligible": "2024-03-01T10:05:00"}, {"begin": 300}),
        (
            {"Eligible": "2024-03-01T10:05:00", "SubmitLine": "sbatch -d afterok:7:8 a.sh"},
            {"after": "7,8", "begin": -1},
        ),
        ({"Constraints": "ib&gpu"}, {"features": "ib&gpu"}),
        ({"Reservation": "week"}, {"reservation": "week"}),
        ({"Constraints": "", "SubmitLine": "sbatch -C ib a.sh"}, {"features": "ib"}),
        (
            {"ReqMem": "16G", "SubmitLine": "sbatch --exclusive --mem-per-cpu=1G -N 1-2 a.sh"},
            {"memory": 1024, "per_cpu": True, "exclusive": True, "nodes": 1, "most_nodes": 2},
        ),
        ({}, {"user": "ada", "account": "physics", "qos": "normal", "partition": "main"}),
    ],
)  # fmt: skip
def test_fields_of_a_dump_are_requests(tmp_path, cells, requests):
    known = {"nodes": 2, "user": "ada", "account": "physics", "qos": "normal", "partition": "main"}
    expected = {
        name: value for name, value in (known | requests).items() if value != DEFAULTS[name]
    }
    first = {"Submit": "2024-03-01T10:00:00", "Start": "2024-03-01T10:10:00"} | cells
    assert requests_of(read(tmp_path, first)) == expected


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("sbatch -N2 run.sh --exclusive", {"nodes": 2, "most_nodes": 2}),
        ("sbatch --mem 4G -H -N 2-3 a", {"nodes": 2, "most_nodes": 3} | PER_NODE),
        ("/usr/bin/sbatch -n 8 -c2 --time 1:00 -J x a", {"tasks": 8, "cpus_per_task": 2}),
        ("sbatch --gres=gpu:v100:2,gres/tmp --hold a", {"gres": "gpu:v100:2,tmp:1"}),
        ("salloc --exclusive --nice", {"exclusive": True, "nice": 100}),
        ("srun --gpus-per-node=a100:4 --exclusive=user ./a", {"gres": "gpu:a100:4"}),
        ("sbatch --dependency singleton --nice=-5 a", {"depends": True, "nice": -5}),
        ("sbatch -d afterany:1?afterany:2 --mem=lots -N a-b a", {"depends": True}),
        ("sbatch --wrap sleep --mem=4G", {}),
        ("sbatch --new-option 5 --mem=4G a", {}),
        ("python a.py --mem=4G", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_command_lines_name_requests_until_the_script(line, values):
    places, found = read_submit_lines(["sbatch a.sh", line])
    assert found[places[1]] == values


def test_lines_that_differ_in_the_script_only_have_one_place():
    lines = ["sbatch -N 2 a", "sbatch -N 2 b", "sbatch -N 3", "sbatch -N 2", "sbatch -N 2 --nice"]
    places, values = read_submit_lines(lines)
    assert places.tolist() == [0, 0, 1, 0, 2]
    assert [each["nodes"] for each in values] == [2, 3, 2]


@pytest.mark.parametrize(
    ("field", "text", "column"),
    [
        ("ReqMem", "1000000000G", "memory"),
        ("ReqMem", "-4G", "memory"),
        ("ReqNodes", "-1", "most_nodes"),
        ("ReqTRES", "cpu=8,gres/gpu=x", "gres"),
        ("ReqTRES", "cpu=8,gres/gpu=99999999,node=many", "gres"),
    ],
)
def test_an_impossible_request_is_unknown_with_a_row_of_the_ledger(tmp_path, field, text, column):
    log = read(tmp_path, {field: text}, {field: ""})
    assert log.ledger["fate"].tolist() == ["changed", "imported"]
    assert log.ledger.loc[0, ["rule", "field", "before", "after"]].tolist() == [
        *("request_impossible", field, text, "-1")
    ]
    assert column not in requests_of(log)


def test_a_salt_hides_names_in_requests_too(tmp_path):
    log = read(tmp_path, {}, {"User": "bob"}, salt="secret")
    assert log.requests["request.user"].tolist() == log.jobs["user"].astype("str").tolist()
    assert log.requests["request.account"].tolist() == log.jobs["account"].astype("str").tolist()
    assert log.requests["request.partition"].tolist() == ["main", "main"]


def test_nodes_of_a_component_are_not_those_of_its_job(tmp_path):
    parts = [{"JobID": f"5+{k}", "JobIDRaw": str(5 + k), "ReqMem": "4Gn"} for k in (0, 1)]
    assert requests_of(read(tmp_path, *parts)).keys() & {"nodes", "memory"} == {"memory"}


def test_a_line_break_or_bar_in_the_last_field_is_part_of_the_command_line(tmp_path):
    log = read(tmp_path, {"SubmitLine": "sbatch --exclusive --wrap a | b\n--mem=4G"})
    assert requests_of(log)["exclusive"]
    assert log.ledger["rule"].tolist() == ["", "name_break"]


TEXT = st.sampled_from(["", "ada", "b c", "ü"])
ASKED = st.fixed_dictionaries(
    {
        "nodes": st.integers(1, 9),
        "memory": st.integers(0, 4) | st.integers(0, 2**24),
        "per_cpu": st.booleans(),
        "exclusive": st.booleans(),
        "begin": st.just(-1) | st.integers(1, 10**6),
        "array": st.just(-1) | st.integers(1, 10**6),
        "nice": st.just(0) | st.integers(-500, 500),
        "gres": st.sampled_from(["", "gpu:1", "gpu:v100:2", "gpu:v100:2,mps:3"]),
        "features": st.sampled_from(["", "ib", "ib&gpu"]),
        **dict.fromkeys(("partition", "qos", "account", "user", "reservation"), TEXT),
        "after": st.sampled_from(["", "7", "7,9"]),
    }
)


def cells_of(number, asked):
    """Return the fields of sacct for a job."""
    nodes, line = asked["nodes"], ["sbatch"]
    line += ["--exclusive"] * asked["exclusive"]
    line += [f"--nice={asked['nice']}"] if asked["nice"] else []
    line += [f"-d afterok:{asked['after'].replace(',', ':')}"] if asked["after"] else []
    gres = [item.rpartition(":") for item in asked["gres"].split(",") if item]
    tres = [f"gres/{name}={int(count) * nodes}" for name, _, count in gres]
    begin = pd.Timestamp(JOB["Submit"]) + pd.Timedelta(max(asked["begin"], 0), "s")
    is_task = asked["array"] >= 0
    return {
        "JobID": f"{asked['array']}_{number}" if is_task else str(number),
        "Eligible": begin.isoformat(),
        "Start": begin.isoformat(),
        "End": (begin + pd.Timedelta("4h")).isoformat(),
        "NNodes": str(nodes),
        "ReqMem": f"{asked['memory']}M{'c' if asked['per_cpu'] else 'n'}",
        "ReqTRES": ",".join([*tres, f"node={nodes}"]),
        "Constraints": asked["features"],
        "Reservation": asked["reservation"],
        "User": asked["user"],
        "Account": asked["account"],
        "QOS": asked["qos"],
        "Partition": asked["partition"],
        "SubmitLine": " ".join([*line, "a.sh"]),
    }


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(ASKED, min_size=1, max_size=6), st.sampled_from([400, 1 << 20]))
def test_requests_are_read_from_a_dump_and_from_a_table_as_they_were(asked, size):
    for request in asked:
        if request["after"]:
            request["begin"] = -1
    with TemporaryDirectory() as folder:
        log = read(folder, *(cells_of(n, each) for n, each in enumerate(asked, 1)), size=size)
        table = Path(folder, "log.parquet")
        write_columns(table, log, log.header)
        back = read_log(table)
        clean = load_log(table, processors=100)
    true = Requests.from_frame(pd.DataFrame(asked)).to_frame()
    order = log.jobs["line"].to_numpy() - 2
    for jobs in (log.jobs, back.jobs, clean.frame):
        pd.testing.assert_frame_equal(
            Requests.of(jobs).to_frame().astype("object"),
            true.iloc[order].reset_index(drop=True).astype("object"),
        )
    assert (clean.jobs.requests.begin >= 0).tolist() == (true["begin"][order] >= 0).tolist()
    assert (back.unix_start, back.zone) == (log.header.integer("UnixStartTime"), "UTC")


def test_begin_is_on_the_clock_of_the_clean_jobs(tmp_path):
    log = read(tmp_path, {"Eligible": "2024-03-01T10:05:00"}, {})
    zero = log.header.integer("UnixStartTime")
    cleaning = Cleaning("rr9212_thursdays", "x", zero, more=("request.begin",))
    jobs, _ = cleaning.all_of(log)
    later = jobs.set_index("number").loc[1]
    assert later["request.begin"] == later["submit"] > 300
    assert jobs["request.begin"].min() == -1


def test_tables_of_other_programs_have_plain_names(tmp_path):
    path = tmp_path / "t.parquet"
    table = pd.DataFrame({"submit": [0, 1], "runtime": 5, "procs": 1, "memory": 7})
    table = table.assign(
        user=["bob", "ada"], partition=["p", None], gres=["gpu:1", None], nodes=[2, None]
    )
    table.to_parquet(path)
    jobs, _, notes = read_columns(path)
    assert jobs[["user", "partition", "queue", "memory"]].to_numpy().tolist() == [
        *([2, 1, 1, 7], [1, -1, -1, 7])
    ]
    assert Requests.of(jobs).known() == {"nodes": 1, "gres": 1, "partition": 1, "user": 2}
    assert notes == ()
    table.assign(nodes=1.5).to_parquet(path)
    with pytest.raises(ColumnsError, match="row 1: column 'nodes' is not a whole number"):
        read_columns(path)
