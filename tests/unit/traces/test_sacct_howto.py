"""The how-to's line for `sacct` exports what the reader reads."""

import shlex

import pytest

from docs_case import ROOT, lines_of_shell
from sacct_case import JOB, read_sacct
from schedlab.traces.slurm.sacct_limits import read_partitions
from schedlab.traces.slurm.sacct_lines import READ

PAGE = ROOT / "docs/howto/site.md"


@pytest.fixture(scope="module")
def words():
    """Words of the line; a backslash at the end of a line continues the list of fields."""
    text = PAGE.read_text(encoding="utf-8").replace("\\\n", "")
    (line,) = [line for line in text.splitlines() if line.startswith("sacct ")]
    return shlex.split(line)


def test_line_names_every_field_that_is_read_and_no_other(words, tmp_path):
    names = words[words.index("--format") + 1].split(",")
    assert sorted(names) == sorted(READ)
    path = tmp_path / words[words.index(">") + 1]
    cells = JOB | {"ElapsedRaw": "14400", "TimelimitRaw": "1440", "AllocCPUS": "8"}
    cells |= {"ReqTRES": "cpu=8", "AllocTRES": "cpu=8", "Cluster": "c", "GID": "5", "UID": "7"}
    cells |= {
        "ReqNodes": "2",
        "Constraints": "ib",
        "Reservation": "",
        "NodeList": "n[1-2]",
        "SubmitLine": "sbatch a.sh",
    }
    path.write_text(f"{'|'.join(names)}\n{'|'.join(cells[name] for name in names)}\n")
    dump = read_sacct(path, timezone="UTC")
    assert dump.ignored == ()
    assert len(dump.jobs) == 1


def test_line_exports_all_users_in_a_range_as_the_reader_needs_it(words):
    assert {"--allusers", "--allocations", "--parsable2", "--noconvert"} <= set(words)
    first, last = (words[words.index(name) + 1] for name in ("--starttime", "--endtime"))
    assert first < last


def test_partitions_of_the_page_are_a_file_that_the_reader_takes(words, tmp_path):
    assert "scontrol show partition > partitions.txt" in lines_of_shell(PAGE)
    path = tmp_path / "partitions.txt"
    path.write_text("PartitionName=main\n   DefaultTime=01:00:00 MaxTime=1-00:00:00\n")
    assert read_partitions(path)["main"].default == 3600
