"""Invalid settings end the workflow with one message."""

import sys

import pytest

from schedlab.files.config import ConfigError
from schedlab.flow.stop import without_stack
from schedlab.flow.submission import SubmissionError
from schedlab.flow.targets import TargetError


def message_of(error):
    """Return the message that the program ends with."""
    with pytest.raises(SystemExit) as stopped, without_stack():
        raise error
    return stopped.value.code


@pytest.mark.parametrize("kind", [ConfigError, SubmissionError, TargetError])
def test_each_line_of_an_error_is_marked(kind):
    assert message_of(kind("a.yaml: key\nb.yaml: key")) == (
        "Error: a.yaml: key\nError: b.yaml: key"
    )


def test_long_message_wraps_on_a_terminal_only(monkeypatch):
    error = ConfigError("/a/long-path-of/mine.yaml: key 'site': unknown key 'processor'")
    monkeypatch.setenv("COLUMNS", "40")
    assert message_of(error) == f"Error: {error}"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert message_of(error) == (
        "Error: /a/long-path-of/mine.yaml: key\n  'site': unknown key 'processor'"
    )


def test_other_errors_keep_their_stack():
    with pytest.raises(ValueError, match="own mistake"), without_stack():
        raise ValueError("own mistake")
