"""Features of a simulated policy that Slurm cannot express."""

#: effect of files that take the place of the site's priorities
REPLACES = (
    "This ends fair share and QOS: their weights are 0 or not read. To change no weight, add "
    "points to the site's priorities: schedlab export-slurm --points N."
)


def limitations(
    *,
    threshold: int | None = None,
    backfill: str | None = None,
    points: int | None = None,
    guard: int | None = None,
) -> list[str]:
    """Return one sentence for each simulated feature that Slurm cannot reproduce.

    Parameters
    ----------
    threshold : int, optional
        Starvation threshold in seconds.
    backfill : str, optional
        The order of backfilling, if it differs from that of the queue.
    points : int, optional
        Points of priority that the policy adds to the site's own priorities.
    guard : int, optional
        Starvation threshold in seconds that the exported policy has.

    Returns
    -------
    list of str
        Sentences without full stops.

    Examples
    --------
    >>> limitations(threshold=86400)
    ['the starvation threshold of 86400 s, as it was simulated, is not in it; --threshold has one']
    """
    sentences = []
    if threshold is not None:
        sentences.append(
            f"the starvation threshold of {threshold} s, as it was simulated, is not in it; "
            "--threshold has one"
        )
    if backfill is not None:
        sentences.append(
            "Slurm backfills in the order of priorities and not, as it was simulated, in another "
            f"one ({backfill}): expect less of it"
        )
    if points is not None:
        sentences.append(
            f"fair share and QOS stay next to the {points} points of the policy: expect smaller "
            "gains if they were not simulated (--slurm-conf simulates them)"
        )
        if guard is not None:
            sentences.append(
                f"the guard only adds points: a job that has waited {guard} s is not first if "
                f"another has over {points} points more by fair share, QOS and other weights"
            )
    return sentences
