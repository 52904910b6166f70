"""Input functions of legrand2018: files and settings by wildcards."""


def pieces_of_periods(wildcards):
    """Return the weeks or months of an experiment."""
    return pieces_of(EXPERIMENTS[LEGRAND][wildcards.periods])


def cells_of_periods(*names):
    """Return for each name a function that returns this column or property of a row."""

    def cell_of(name):
        return lambda wildcards: getattr(EXPERIMENTS[LEGRAND][wildcards.periods], name)

    return {name: cell_of(name) for name in names}


def policies_of_periods(wildcards):
    """Return the policies of an experiment's row by name, each a registered one."""
    return {name: name for name in EXPERIMENTS[LEGRAND][wildcards.periods].policies}


def own_policy(wildcards):
    """Return one of your policies: its name and expression."""
    return {wildcards.policies: config["policies"][wildcards.policies]}


def points_of_periods(wildcards):
    """Return the number of grid points per dimension of the space of weights."""
    return config["legrand2018"]["points"][EXPERIMENTS[LEGRAND][wildcards.periods].unit]


def key_of_search(wildcards):
    """Return the key of the random streams of an experiment's searches."""
    return [LEGRAND, "xnes", wildcards.periods]


def results_by_weeks(kind):
    """Return the result files of one kind for the paper's experiments by weeks."""
    return STUDIES[LEGRAND].results(kind, [row.experiment for row in WEEKS])
