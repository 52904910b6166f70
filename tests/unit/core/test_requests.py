"""What jobs ask for: columns of frames and of `Jobs`."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs, jobs_by_piece
from schedlab.core.requests import COLUMNS, DEFAULTS, PREFIX, Requests, Texts

FRAME = pd.DataFrame(
    {"number": [3, 1, 2], "submit": [50, 10, 20], "runtime": 5, "estimate": 9, "procs": 4}
)
ASKED = {"memory": [100, 0, -1], "begin": [60, -1, 20], "gres": ["gpu:2", "", "gpu:1"]}


def columns_of(requests: Requests) -> dict[str, list]:
    return {name: column.tolist() for name, column in requests.to_frame().items()}


@pytest.mark.parametrize("prefix", ["", PREFIX])
def test_requests_follow_their_jobs(prefix):
    asked = {prefix + name: values for name, values in ASKED.items()}
    jobs = Jobs.from_frame(FRAME.assign(**asked))
    assert jobs.number.tolist() == [1, 2, 3]
    assert jobs.requests.memory.tolist() == [0, -1, 100]
    assert jobs.requests.known() == {"memory": 2, "begin": 2, "gres": 2}
    rebased = jobs.rebased()
    assert (rebased.submit.tolist(), rebased.requests.begin.tolist()) == ([0, 10, 40], [-1, 10, 50])
    last = jobs.take(np.array([False, False, True]))
    assert (last.requests.gres[0], len(last.requests)) == ("gpu:2", 1)
    frame = jobs.to_frame()
    assert columns_of(Jobs.from_frame(frame).requests) == columns_of(jobs.requests)
    assert [name for name in frame if name in DEFAULTS] == list(DEFAULTS)


@pytest.mark.parametrize(
    ("columns", "known"),
    [
        ({}, None),
        ({"user": 1, "partition": 2, "account": 3, "qos": 4}, None),  # numbers in place of names
        ({"nodes": 2, "memory": 512}, None),  # of a log: what jobs had
        ({"user": "ada"}, {"user": 3}),
        ({"nodes": 2, "user": 1, "gres": "gpu:1"}, {"nodes": 3, "gres": 3}),
        ({"memory": 512, "request.nodes": 2}, {"nodes": 3}),
    ],
)
def test_columns_that_mean_something_else_are_no_requests(columns, known):
    requests = Jobs.from_frame(FRAME.assign(**columns)).requests
    assert (requests and requests.known()) == known


def test_jobs_without_requests_have_no_further_columns():
    jobs = Jobs.from_frame(FRAME)
    assert jobs.requests is None
    assert jobs.take(slice(1)).rebased().to_frame().columns.tolist() == FRAME.columns.tolist()


def test_number_of_requests_is_that_of_the_jobs():
    requests = Requests.from_frame(FRAME[:2])
    with pytest.raises(ValueError, match="'requests': 2"):
        Jobs(*(FRAME[name] for name in FRAME.sort_values("submit")), requests)


def test_pieces_keep_requests_from_their_own_time_0():
    frame = FRAME.sort_values("submit").assign(piece=[1, 1, 2], **{PREFIX + "begin": [-1, 25, 60]})
    pieces = jobs_by_piece(frame, clairvoyant=True)
    assert {n: jobs.requests.begin.tolist() for n, jobs in pieces.items()} == {1: [-1, 15], 2: [10]}


def test_texts_are_kept_once():
    texts = Texts.of(pd.Series(["b", None, "a", "b"]))
    assert ([*texts], texts.known().tolist()) == (["b", "", "a", "b"], [True, False, True, True])
    twice = Texts(np.array([0, 1, 2], dtype=np.int32), ("x", "", "x")).column()
    assert (twice.tolist(), twice.categories.tolist()) == (["x", "", "x"], ["x", ""])
    assert [*Texts.of(pd.Series(["b", None], dtype="category"))] == ["b", ""]
    assert COLUMNS[-1] == "request.after"
