"""Which file and which settings feed which rule of legrand2018, by wildcards."""


def pieces_of_periods(wildcards):
    """Return the weeks or months that an experiment on periods runs on."""
    return pieces_of(EXPERIMENTS[LEGRAND][wildcards.periods])


def cell_of_periods(name):
    """Return the function that gives a cell of an experiment's row on periods, or a property."""
    return lambda wildcards: getattr(EXPERIMENTS[LEGRAND][wildcards.periods], name)


def policies_of_periods(wildcards):
    """Return the policies of an experiment's row by name, each a registered one."""
    return {name: name for name in EXPERIMENTS[LEGRAND][wildcards.periods].policies}


def own_policy(wildcards):
    """Return one of a reader's policies: its name and expression."""
    return {wildcards.policies: config["policies"][wildcards.policies]}


def points_of_periods(wildcards):
    """Return the points a dimension that cover the space of weights."""
    return config["legrand2018"]["points"][EXPERIMENTS[LEGRAND][wildcards.periods].unit]


def key_of_search(wildcards):
    """Return the key of the random streams of an experiment's searches."""
    return [LEGRAND, "xnes", wildcards.periods]


def results_by_weeks(kind):
    """List a kind of result files of the paper's experiments by weeks."""
    return STUDIES[LEGRAND].results(kind, [row.experiment for row in WEEKS])
