"""Progress is shown on a terminal only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from rich.console import Console

from schedlab.files import progress


def test_progress_is_hidden_without_a_terminal(capsys):
    with progress.busy("reading"), progress.counted("jobs", 2) as advance:
        advance()
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal(monkeypatch, capsys):
    def terminal(stderr):
        return Console(stderr=stderr, force_terminal=True)

    monkeypatch.setattr(progress, "Console", terminal)
    with progress.busy("reading site.swf"):
        pass
    with progress.counted("jobs", 2) as advance:
        advance(2)
    said = capsys.readouterr().err
    with progress.counted("policies", 1) as outer:
        with progress.counted("jobs inside", 3) as inner:
            inner(3)
        outer()
    after = capsys.readouterr().err
    assert "jobs inside" in after
    assert after.index("policies") < after.index("jobs inside")
    assert progress._shown == []
    assert "reading site.swf" in said
    assert "2/2" in said


def test_progress_of_worker_threads_needs_one_of_the_main_thread(monkeypatch, capsys):
    """A terminal has one display: the bars of two threads would be an error."""

    def terminal(stderr):
        return Console(stderr=stderr, force_terminal=True)

    def count(_):
        with progress.counted("jobs", 2) as advance:
            both.wait()
            advance(2)

    monkeypatch.setattr(progress, "Console", terminal)
    both = Barrier(2, timeout=30)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(count, range(2)))
    assert capsys.readouterr().err == ""
    with progress.counted("policies", 2) as advance, ThreadPoolExecutor(2) as pool:
        for _ in pool.map(count, range(2)):
            advance()
    assert "jobs" in capsys.readouterr().err


def test_long_progress_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(progress, "LOGGED", 0.0)
    with caplog.at_level("INFO"), progress.counted_and_logged("jobs under F1", 9) as advance:
        advance(4)
        advance(5)
    assert caplog.messages == ["jobs under F1: 4 of 9", "jobs under F1: 9 of 9"]
