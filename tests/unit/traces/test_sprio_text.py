"""Points of factors as sprio prints them."""

import pytest

from schedlab.traces.slurm.sprio_text import read_sprio

TEXT = """\
          JOBID PARTITION     USER   PRIORITY       SITE        AGE      ASSOC  FAIRSHARE    JOBSIZE  PARTITION        QOS        NICE                 TRES
             18 general         u1     272611          0       3459          0      26667      14444     142857      25000           0 mem=184,gres/gpu=600
             28 general         u1     192160          0       3412          0      26667      18889     142857          0           1              mem=336
             30 debug           u2       3412          0       3412          0          0          0          0          0           0
"""  # noqa: E501


def test_factors_are_by_job_and_partition(tmp_path):
    path = tmp_path / "sprio.txt"
    path.write_text(TEXT)
    rows = read_sprio(path)
    # sprio cuts long lists of resources
    assert rows["18", "general"]["TRES"] == 272611 - 3459 - 26667 - 14444 - 142857 - 25000
    assert rows["28", "general"] == {
        **{"age": 3412, "fair share": 26667, "size": 18889, "partition": 142857, "QOS": 0},
        **{"account": 0, "TRES": 336, "nice": -1},
    }
    assert rows["30", "debug"]["TRES"] == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("JOBID", "ID", "line 1: no line of names"), (" 3459", "  x59", "line 2: field AGE 'x59' is")],
)
def test_mistakes_have_line_and_field(tmp_path, old, new, words):
    path = tmp_path / "sprio.txt"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(ValueError, match=words):
        read_sprio(path)
