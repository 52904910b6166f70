"""The scanner of sacct's lines against its twin."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schedlab.kernels.traces import sacct_scan
from twins import sacct_scan as twin
from twins.sacct_scan import COUNT, JOB_ID, RAW_ID, SPAN, TEXT, TIME

CELLS = st.one_of(
    st.sampled_from(["", "0", "7", "07", "123_4", "123_04", "1_", "_1", "1_[2-3]", "5+0", "1.0"]),
    st.sampled_from(["9" * 17, "9" * 18, "1_" + "9" * 9, "1_" + "9" * 10, "9" * 12, "9" * 13]),
    st.sampled_from(["2024-02-29T00:00:00", "2023-02-29T00:00:00", "1969-12-31T23:59:59"]),
    st.sampled_from(["2024-02-29 00:00:00", "2024-04-31T00:00:00", "2024-13-01T00:00:00", "9999"]),
    st.sampled_from(["2024-01-01T24:00:00", "2024-01-01T23:60:00", "2024-01-01T23:59:60"]),
    st.sampled_from(["2024-00-10T00:00:00", "2024-01-00T00:00:00", "Unknown", "a" * 8, "a" * 9]),
    st.sampled_from(["00:00:00", "23:59:59", "24:00:00", "1-00:00:00", "0-00:00:00"]),
    st.sampled_from(["01-00:00:00", "1-0:00:00", "10-00-00", "1-2-10:00:00"]),
    st.sampled_from(["10:60:00", "10:00:60", "10:00", "-10:00:00", "999999999-00:00:00"]),
    st.sampled_from(["9999999999-00:00:00", "1+00:00:00"]),
    st.text(" \tab12", max_size=18),
    st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 31)).map(
        lambda time: time.strftime("%Y-%m-%dT%H:%M:%S")
    ),
    st.integers(0, 10**18).map(str),
)
ENDS = st.sampled_from(["\n", "\n", "\r\n", "|\n", "|\r\n", " \n", "\n\n", "\n \t\n"])


@st.composite
def dumps(draw):
    """Return the text of a dump, and the places and kinds of its columns."""
    count = draw(st.integers(1, 5))
    used = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    places = (np.cumsum(used) - 1).tolist()
    places = [place if use else -1 for place, use in zip(places, used, strict=True)]
    others = st.sampled_from([TEXT, RAW_ID, TIME, SPAN, COUNT])
    kinds = draw(st.lists(others, min_size=count, max_size=count))
    kinds[draw(st.integers(0, count - 1))] = JOB_ID  # there is at most one
    rows = st.lists(CELLS, min_size=count, max_size=count)
    odd = st.lists(CELLS, min_size=1, max_size=7)
    lines = draw(st.lists(st.tuples(st.one_of(rows, rows, odd), ENDS), max_size=12))
    text = "".join("|".join(cells) + end for cells, end in lines)
    return (
        text,
        places,
        kinds[: sum(used)],
        draw(st.booleans()) and not used[-1],
        draw(st.booleans()),
    )


def scan(text, places, kinds, open_end, closing):
    """Call the kernel; return what the twin does, and the hashes of rows."""
    content, columns = text.encode(), len(kinds)
    most = content.count(b"\n")
    lines, tasks = np.empty((2, most), dtype=np.int64)
    values = np.empty((columns, most), dtype=np.int64)
    hashes = np.empty((most, 2), dtype=np.int64)
    spans = np.empty((columns, most, 2), dtype=np.int64)
    slots = np.zeros((columns, 1 << most.bit_length()), dtype=np.int32)
    distinct = np.zeros(columns, dtype=np.int64)
    odd = np.empty((most, 3), dtype=np.int64)
    rows, odds = sacct_scan.scan(
        content,
        *(np.array(numbers, dtype=np.int32) for numbers in (places, kinds)),
        *(open_end, closing, lines, values, tasks, hashes, spans, slots, distinct, odd),
    )
    texts = [
        [content[begin:end].decode() for begin, end in spans[column, : distinct[column]].tolist()]
        for column in range(columns)
    ]
    assert all(len(set(column)) == len(column) for column in texts)
    found = [
        (
            int(lines[row]),
            tuple(
                int(value) if value >= 0 else texts[column][-1 - value]
                for column, value in enumerate(values[:, row])
            ),
            int(tasks[row]),
        )
        for row in range(rows)
    ]
    others = [(line, content[begin:end].decode()) for line, begin, end in odd[:odds].tolist()]
    return found, others, hashes[:rows].tolist()


@given(dumps())
@example(("7_1|\n", [0], [JOB_ID], False, False))
@example(("07_1\nx_1\n", [0], [JOB_ID], False, False))
@example(("0-00:00:00\n1-00:00:00\n", [0], [SPAN], False, False))
@example(("7_1|x|y\n", [0, -1], [JOB_ID], True, False))
@example(("7|\n7\n|7\n7||\n", [0], [JOB_ID], False, True))
@example(("7|x|y|\n7|x|y\n", [0, -1], [JOB_ID], True, True))
def test_lines_are_read_as_by_the_twin(dump):
    rows, odd, hashes = scan(*dump)
    assert (rows, odd) == twin.scan(*dump)
    # equal lines have equal hashes, and others not
    assert len(set(map(tuple, hashes))) == len({(values, task) for _, values, task in rows})
    of_ids = [place for place, kind in enumerate(dump[2]) if kind in (JOB_ID, RAW_ID)]
    ids = {(*(values[place] for place in of_ids), task) for _, values, task in rows}
    assert len({of_row for of_row, _ in hashes}) == len(ids)


def test_many_distinct_texts_are_found_again():
    lines = [f"name{number % 3000}|{number % 7}" for number in range(9000)]
    dump = ("".join(f"{line}\n" for line in lines), [0, 1], [TEXT, TEXT], False, False)
    rows, odd, hashes = scan(*dump)
    assert (rows, odd) == twin.scan(*dump)
    assert len(set(map(tuple, hashes))) == len(set(lines))


@pytest.mark.parametrize("year", [1970, 1972, 1999, 2000, 2001, 2024, 2100, 2400, 9999])
def test_every_day_of_a_year_is_read(year):
    first = datetime(year, 1, 1)
    days = [first + timedelta(days=day) for day in range(365)]
    text = "".join(f"{day:%Y-%m-%dT%H:%M:%S}\n".rjust(20, "0") for day in days)
    dump = (text, [0], [TIME], False, False)
    found, _, _ = scan(*dump)
    wanted = [sacct_scan.LOCAL + int((day - datetime(1970, 1, 1)).total_seconds()) for day in days]
    assert [values[0] for _, values, _ in found] == wanted
