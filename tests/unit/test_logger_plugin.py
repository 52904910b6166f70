"""What the logger plugin prints of Snakemake's messages."""

import logging
from types import SimpleNamespace

import pytest
from snakemake.logging import DefaultFormatter
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_schedlab import LogHandler, time_left

ERROR = {"msg": "", "rule_msg": "Drawing", "aux": {}, "show": None, "conda_env": None}
ERROR |= {"rule_name": "draw", "jobid": 2, "input": [], "output": [], "shellcmd": None}
#: event and values of each message, and the line that is printed of it
MESSAGES = [
    (None, {"msg": "Building DAG of jobs..."}, "Building DAG of jobs..."),
    (None, {"msg": "Select jobs to execute..."}, ""),
    (LogEvent.JOB_STARTED, {"msg": "Execute 2 jobs..."}, ""),
    (LogEvent.JOB_INFO, {"rule_msg": "Drawing one", "jobid": 38}, "Drawing one\n"),
    (LogEvent.JOB_FINISHED, {"msg": "Finished jobid: 38"}, ""),
    (LogEvent.PROGRESS, {"done": 1, "total": 3}, ""),
    (LogEvent.JOB_INFO, {"rule_msg": "Drawing two", "jobid": 0}, "1 of 3 done: Drawing two\n"),
    (LogEvent.JOB_ERROR, ERROR | {"log": []}, "Error in rule draw:\n"),
    (LogEvent.PROGRESS, {"done": 3, "total": 3}, "3 of 3 steps (100%) done"),
]


def test_a_job_is_one_line_and_errors_are_whole(capsys):
    handler = LogHandler(SimpleNamespace(stdout=True, nocolor=False), None)
    handler.setFormatter(DefaultFormatter(quiet={"reason"}))
    printed = []
    for event, values, _ in MESSAGES:
        record = logging.makeLogRecord({"event": event, "reason": "", "msg": ""} | values)
        handler.emit(record)
        printed.append(capsys.readouterr().out)
    expected = [text for *_, text in MESSAGES]
    for line, text in zip(printed, expected, strict=True):
        assert line.startswith(text) if text else line == ""
        assert not line.startswith("[")


@pytest.mark.parametrize(
    ("done", "seconds", "shown"),
    [
        (9, 100, ""),  # less than a tenth of the steps
        (10, 19, ""),  # less than 20 s
        (10, 20, ", about 3 min left"),  # 2 s a step: 180 s
        (10, 20.2, ", about 4 min left"),  # 181.8 s
        (99, 99, ", about 1 min left"),
    ],
)
def test_time_left_is_that_of_steps_like_those_before(done, seconds, shown):
    assert time_left(done, 100, seconds) == shown
