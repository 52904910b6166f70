"""Control characters of a file are escaped in messages."""

import re

import pandas as pd
import pytest

from schedlab.files.io import printable
from schedlab.traces.readers import read_log
from schedlab.traces.slurm.sacct_limits import read_partitions
from schedlab.traces.slurm.sacct_lines import read_lines
from schedlab.traces.slurm.sinfo_text import read_sinfo_text
from schedlab.traces.slurm.squeue_text import read_squeue_text
from schedlab.traces.swf import read_swf

# clears the screen, names the window, rings
EVIL = "\x1b[2J\x1b]0;x\x07"
SHOWN = r"\x1b[2J\x1b]0;x\x07"


def swf(path):
    path.write_text(f"1 0 -1 {EVIL} 1 -1 -1 1 600 -1 1 7 1 -1 1 -1 -1 -1\n")
    read_swf(path)


def dump(path):
    path.write_text(f"Submit|NCPUS|JobIDRaw|Elapsed\n{EVIL}|2|7|4\n")
    (read,) = read_lines(path)
    raise read.fault(0, "Submit", "is no time", "mend it")


def partitions(path):
    path.write_text(f"PartitionName=a\n  MaxTime={EVIL}\n")
    read_partitions(path)


def nodes(path):
    path.write_text(f"n1|main|idle|{EVIL}\n")
    read_sinfo_text(path)


def queue(path):
    path.write_text(f"7|PENDING|{EVIL}|1:00|0:00|N/A|0|ann|main|1|(null)|None\n")
    read_squeue_text(path)


def parquet(path):
    path = path.with_suffix(".parquet")
    pd.DataFrame({"submit": [EVIL], "runtime": [1], "procs": [1]}).to_parquet(path)
    read_log(path)


@pytest.mark.parametrize("read", [swf, dump, partitions, nodes, queue, parquet])
def test_message_escapes_control_characters_of_a_file(tmp_path, read):
    with pytest.raises(ValueError, match=re.escape(SHOWN)) as error:
        read(tmp_path / "file")
    assert "\x1b" not in str(error.value)


def test_bytes_that_are_no_text_can_be_printed(tmp_path):
    path = tmp_path / "log.swf"
    path.write_bytes(b"1 0 -1 \xff\xfe 1 -1 -1 1 600 -1 1 7 1 -1 1 -1 -1 -1\n")
    with pytest.raises(ValueError, match="is not a number") as error:
        read_swf(path)
    str(error.value).encode("ascii")


def test_printable_text_is_unchanged():
    assert printable("Grüße, 4 km² 'ok'") == "Grüße, 4 km² 'ok'"
