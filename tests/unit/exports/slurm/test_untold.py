"""What a Slurm cannot be told."""

from schedlab.exports.slurm import untold


def test_each_loss_has_a_sentence_of_its_own():
    assert untold() == []
    assert len(untold(threshold=0)) == 1
    (order,) = untold(backfill="spt")
    assert "in another one (spt): expect less of it" in order
    assert untold(threshold=60, backfill="spt") == [*untold(threshold=60), order]
