"""Input functions of zhang2020."""


def trial(wildcards):
    """Return a row of the sheet."""
    return EXPERIMENTS[ZHANG][wildcards.trial]
