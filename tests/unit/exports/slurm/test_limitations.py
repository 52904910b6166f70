"""Features that Slurm cannot be configured to have."""

from schedlab.exports.slurm import limitations


def test_each_limitation_has_one_sentence():
    assert limitations() == []
    assert len(limitations(threshold=0)) == 1
    (order,) = limitations(backfill="spt")
    assert "in another one (spt): expect less of it" in order
    assert limitations(threshold=60, backfill="spt") == [*limitations(threshold=60), order]
