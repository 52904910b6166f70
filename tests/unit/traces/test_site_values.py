"""Values of a site's Slurm files."""

import pytest

from schedlab.traces.slurm.site_values import FORMS


@pytest.mark.parametrize(
    ("form", "text", "meaning"),
    [
        ("number", "30 sec", 30),
        ("number", "-1", None),
        ("natural", "-5", 0),
        ("natural", "-1", 0),
        ("minutes", "1440", 86_400),
        ("microseconds", "2000000", 2.0),
        ("decimal", "0.500000", 0.5),
        ("time", "60", 3600),
        ("time", "1-12:00:00", 129_600),
        ("time", "0-2", 7200),
        ("time", "UNLIMITED", None),
        ("seconds", "90", 90),
        ("seconds", "00:01:30", 90),
        ("memory", "2800", 2800),
        ("memory", "16G", 16_384),
        ("memory", "0", None),
        ("yes", "TRUE", True),
        ("yes", "0", False),
        ("words", "a,b", {"a", "b"}),
        ("words or ALL", "all", None),
        ("enforced", "ALL", {"all", "safe", "qos", "limits", "associations"}),
        ("enforced", "safe", {"safe", "limits", "associations"}),
        ("enforced", "associations", {"associations"}),
        ("TRES", "cpu=10,Mem=2G,GRES/gpu:A100=-1", {"cpu": 10, "mem": 2048, "gres/gpu:A100": -1}),
        ("TRES", "cpu=2K", {"cpu": 2048}),
        ("weights", "CPU=1.5,Mem=1G,GRES/gpu=.5", {"cpu": 1.5, "mem": 1 / 1024, "gres/gpu": 0.5}),
        ("weights", "Mem=2M", {"mem": 2.0}),
        ("shares", "parent", -1),
        ("shares", "2147483647", -1),
        ("shares", "40", 40),
        ("cpu", "8", {"cpu": 8}),
        ("node", "-1", {"node": -1}),
        ("preemption", "preempt/none", ""),
        ("mode", "cluster", ""),
        ("mode", "Requeue", "REQUEUE"),
        ("up", "inactive", False),
        ("flag", "", True),
        ("flag", "no", False),
    ],
)
def test_meaning_of_a_text(form, text, meaning):
    assert FORMS[form](text) == meaning


@pytest.mark.parametrize(
    ("form", "text", "problem"),
    [
        ("number", "many", "must be a whole number"),
        ("decimal", "half", "must be a number"),
        ("time", "soon", "must be a time like 30"),
        ("memory", "2X", "must be a size like 2800"),
        ("yes", "maybe", "must be YES or NO"),
        ("TRES", "10", "'10' must be like cpu=10"),
        ("TRES", "cpu=x", "'x' must be a number"),
        ("weights", "cpu=x", "weight 'x' must be a number like"),
    ],
)
def test_text_without_meaning_is_an_error(form, text, problem):
    with pytest.raises(ValueError, match=problem):
        FORMS[form](text)
