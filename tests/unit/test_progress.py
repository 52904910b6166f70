"""Signs of life, on a terminal and nowhere else."""

from __future__ import annotations

from rich.console import Console

from schedlab import progress


def test_nothing_is_shown_where_stderr_is_no_terminal(capsys):
    with progress.busy("reading"), progress.counted("jobs", 2) as advance:
        advance()
    assert capsys.readouterr() == ("", "")


def test_words_are_shown_on_a_terminal(monkeypatch, capsys):
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
