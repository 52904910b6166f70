"""Clocks that run faster."""

import pytest

from schedlab.slurm.clock import faketime_prefix, speed


@pytest.mark.parametrize(("said", "factor"), [("+0 x60", 60), ("+0 x1.5", 1.5)])
def test_speed_is_that_of_faketime(monkeypatch, said, factor):
    monkeypatch.setenv("FAKETIME", said)
    assert speed() == factor


def test_clocks_run_as_time_passes_without_it(monkeypatch):
    monkeypatch.delenv("FAKETIME", raising=False)
    assert speed() == 1


@pytest.mark.parametrize("said", ["+0", "-1d", "+1 x60", "@2020-01-01 x2"])
def test_unsupported_faketime_is_rejected(monkeypatch, said):
    monkeypatch.setenv("FAKETIME", said)
    with pytest.raises(ValueError, match="must be '\\+0 x' and a factor"):
        speed()


def test_command_that_makes_them_is_understood(monkeypatch):
    command = faketime_prefix(60)
    assert command[:2] == ["faketime", "-f"]
    monkeypatch.setenv("FAKETIME", command[2])
    assert speed() == 60
