"""The log file of a job."""

import logging

import pytest

from schedlab.files.logs import logged
from schedlab.report.figures.style import canvas, save_one


def fail():
    logging.info("24 runs")
    raise ValueError("not a log")


def test_messages_and_the_failure_are_in_the_file(tmp_path):
    path = tmp_path / "job.log"
    with pytest.raises(ValueError, match="not a log"), logged(path):
        fail()
    first, second, *_ = path.read_text().splitlines()
    assert first.endswith("INFO root: 24 runs")
    assert second.endswith("ERROR root: the job failed")
    assert "ValueError: not a log" in path.read_text()


def test_glyphs_of_a_figure_are_not_in_the_file(tmp_path):
    with logged(tmp_path / "job.log"):
        figure = canvas(2.0)
        figure.suptitle("wait")
        save_one(figure, tmp_path / "wait.pdf")
    assert (tmp_path / "job.log").read_text() == ""
