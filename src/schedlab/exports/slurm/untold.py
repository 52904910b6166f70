"""What a Slurm cannot be told of how a policy was simulated."""

from __future__ import annotations


def untold(*, threshold: int | None = None, backfill: str | None = None) -> list[str]:
    """Say what is lost of a simulation when its policy becomes the order of a Slurm.

    Parameters
    ----------
    threshold : int, optional
        Starvation threshold in seconds.
    backfill : str, optional
        The order of backfilling, where it was another one than the queue's.

    Returns
    -------
    list of str
        Sentences without full stops.

    Examples
    --------
    >>> untold(threshold=86400)
    ['the starvation threshold of 86400 s, as it was simulated, is not in it; --threshold has one']
    """
    said = []
    if threshold is not None:
        said.append(
            f"the starvation threshold of {threshold} s, as it was simulated, is not in it; "
            "--threshold has one"
        )
    if backfill is not None:
        said.append(
            "Slurm backfills in the order of priorities and not, as it was simulated, in another "
            f"one ({backfill}): expect less of it"
        )
    return said
