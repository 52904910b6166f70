"""The page of schedules: packed columns, limits, and independence of other files."""

import base64
import json
import re
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.workbench.explorer import write_explorer
from schedlab.workbench.explorer.packing import pack

JOBS = Jobs([4, 5, 9], [100, 100, 103], [10, 5, 10], [12, 5, 10], [2, 4, 1])
FIRST = Schedule(np.array([100, 110, 103]), np.array([110, 115, 113]))
SECOND = Schedule(np.array([105, 100, 105]), np.array([115, 105, 115]))
BOTH = {"FCFS": FIRST, "SPT": SECOND}


def unpacked(places, text):
    content, columns = zlib.decompress(base64.b64decode(text)), {}
    for name, kind, length in places:
        size = np.dtype(kind).itemsize * length
        columns[name] = np.frombuffer(content[:size], dtype=f"<{kind}").tolist()
        content = content[size:]
    assert not content
    return columns


numbers = st.lists(st.integers(-(2**40), 2**40) | st.integers(0, 300)) | st.lists(
    st.floats(allow_nan=False, allow_infinity=False, width=32)
)


@given(st.dictionaries(st.text(max_size=5), numbers, max_size=6))
def test_columns_are_unpacked_as_they_were_and_begin_where_their_type_may(columns):
    places, text = pack({name: np.array(column) for name, column in columns.items()})
    assert unpacked(places, text) == columns
    at = 0
    for _, kind, length in places:
        assert at % np.dtype(kind).itemsize == 0
        at += np.dtype(kind).itemsize * length


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "u1"),
        ([0, 256], "u2"),
        ([65535], "u2"),
        ([65536], "i4"),
        ([-1], "i4"),
        ([2**31 - 1], "i4"),
        ([2**31], "f8"),
        ([0.5], "f8"),
    ],
)
def test_column_has_the_smallest_sufficient_type(values, kind):
    assert pack({"a": np.array(values)})[0] == [["a", kind, len(values)]]


def written(tmp_path, **change):
    given = {"jobs": JOBS, "schedules": BOTH, "processors": 5, "title": "Two <orders>"} | change
    path = tmp_path / "page.html"
    write_explorer(path, **given)
    return path.read_text(encoding="utf-8")


def script_content(text, element):
    return re.search(rf'<script id="{element}"[^>]*>(.*?)</script>', text, re.DOTALL)[1]


def test_page_has_the_jobs_from_time_0_and_their_processors(tmp_path):
    page = written(tmp_path, users=np.array([3, -1, 3]))
    facts = json.loads(script_content(page, "facts"))
    columns = unpacked(facts["columns"], script_content(page, "columns"))
    assert columns["number"] == [4, 5, 9]
    assert columns["submit"] == [0, 0, 3]
    assert columns["user"] == [3, -1, 3]
    assert columns["start1"] == [5, 0, 5]
    assert columns["end1"] == [15, 5, 15]
    assert (columns["job1"], columns["low1"], columns["height1"]) == (
        [1, 0, 2],
        [0, 0, 2],
        [4, 2, 1],
    )
    assert facts["processors"] == 5
    # FCFS: waits 0, 10, 0; slowdowns 1, 15 / 10, 1; 2 * 10 + 4 * 5 + 10 of 5 * 15 in use
    assert facts["schedules"][0] == {
        "name": "FCFS",
        "wait": "3 s",
        "slowdown": "1.17",
        "used": "66.7%",
    }


def test_page_loads_no_other_file_and_escapes_its_text(tmp_path):
    page = written(tmp_path, schedules={"</script><b>": FIRST}, note="made & told")
    assert not re.search(r"https?://|@import|url\(", page)
    assert "<b>" not in page
    assert page.count("</script>") == 3
    assert "Two &lt;orders&gt;" in page
    assert "made &amp; told" in page
    assert "Lanes are not nodes" in page


@pytest.mark.parametrize("back", [None, ("../paper.html", "The <paper>")])
def test_page_links_back_to_the_page_that_leads_to_it(tmp_path, back):
    page = written(tmp_path, back=back)
    links = re.findall(r'<a href="([^"]*)">← (.*?)</a>', page)
    assert links == ([("../paper.html", "The &lt;paper&gt;")] if back else [])


def test_windows_are_counted_from_the_first_submission(tmp_path):
    """The first job is submitted at second 100 of the log."""
    page = written(tmp_path, windows={"1": (105, 110), "<2>": (110, 120)})
    assert json.loads(script_content(page, "facts"))["windows"] == {"1": [5, 10], "<2>": [10, 20]}
    assert re.findall(r'<option value="([^"]+)">', page) == ["1", "&lt;2&gt;"]
    assert 'id="window"' not in written(tmp_path)


def test_equal_schedules_give_equal_pages(tmp_path):
    assert written(tmp_path) == written(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"jobs": JOBS.take(slice(0, 0))}, "there is no job to show"),
        ({"schedules": {}}, "0 schedules, 1 to 4 can be shown"),
        ({"schedules": {str(k): FIRST for k in range(5)}}, "5 schedules, 1 to 4 can be shown"),
        ({"users": np.array([1])}, "1 users of 3 jobs"),
        ({"schedules": {"A": Schedule(FIRST.start[:2], FIRST.end[:2])}}, "'A' is of 2 jobs, not"),
        ({"processors": 4, "schedules": {"A": SECOND}}, None),
        ({"processors": 3}, "schedule 'FCFS': job 5 starts at 110 on 4 processors, where 2 of 3"),
    ],
)
def test_page_limits_are_checked_and_named(tmp_path, change, message):
    if message is None:
        assert written(tmp_path, **change)
        return
    with pytest.raises(ValueError, match=re.escape(message)):
        written(tmp_path, **change)
