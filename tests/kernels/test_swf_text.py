"""The writer of a log's lines against a twin in one line."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from schedlab.kernels.traces.swf_text import write_lines

EDGE = 10**18 - 1
NUMBERS = st.one_of(
    st.integers(-EDGE, EDGE),
    st.integers(-1000, 1000),
    st.integers(0, 18).flatmap(lambda power: st.sampled_from([10**power - 1, -(10**power) + 1])),
    st.integers(0, 17).map(lambda power: 10**power),
)
JOBS = st.lists(st.lists(NUMBERS, min_size=18, max_size=18), max_size=5)


def written(jobs, texts=None):
    """Call the kernel with just enough room."""
    values = np.array(jobs, dtype=np.int64).reshape(-1, 18).T.copy()
    cells = [list(map(str, job)) for job in jobs]
    stops = np.cumsum([len(text) for text in texts or []], dtype=np.int64)
    if texts:
        for cell, text in zip(cells, texts, strict=True):
            cell[5] = text
    out = np.empty(sum(len(cell) + 1 for job in cells for cell in job), dtype=np.uint8)
    length = write_lines(values, "".join(texts or [" "]).encode(), stops, out)
    return out[:length].tobytes().decode(), "".join(" ".join(job) + "\n" for job in cells)


@given(JOBS)
@example([[0] * 18, [EDGE] * 18, [-EDGE] * 18])
def test_lines_are_those_of_the_twin(jobs):
    found, wanted = written(jobs)
    assert found == wanted


@given(JOBS, st.data())
def test_cpu_times_may_be_texts(jobs, data):
    texts = [data.draw(st.floats(allow_nan=False).map(repr)) for _ in jobs]
    found, wanted = written(jobs, texts)
    assert found == wanted
