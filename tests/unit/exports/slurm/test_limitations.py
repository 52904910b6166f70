"""Features that Slurm cannot be configured to have."""

from schedlab.exports.slurm import limitations


def test_each_limitation_has_one_sentence():
    assert limitations() == []
    assert len(limitations(threshold=0)) == 1
    (order,) = limitations(backfill="spt")
    assert "in another one (spt): expect less of it" in order
    (points,) = limitations(points=700)
    assert "stay next to the 700 points of the policy: expect smaller gains" in points
    assert limitations(guard=60) == []
    _, guard = limitations(points=700, guard=172_800)
    assert "waited 172800 s is not first if another has over 700 points more" in guard
    assert limitations(threshold=60, backfill="spt") == [*limitations(threshold=60), order]
