"""Captions of the tables and figures of the referee."""

TEXTS = {
    "referee": """Mean wait and makespan (s) of every simulator and of a real Slurm whose clocks
        run {factor} times faster. Deviations are from the mean of the real Slurm's repetitions; a
        column states whether they lie within the repetitions. Starts apart: mean over jobs of the
        absolute difference of starts from every real run, or between the real Slurm's
        repetitions.""",
    "ranking": """Order of the policies by mean wait under every scheduler, the shortest first.
        Kendall's τ compares it with the order under the real Slurm.""",
    "fig_referee": """Mean wait, makespan, and mean distance of starts from those of a real Slurm,
        by window and policy. Crosses: the real Slurm's repetitions; gray: their spread. Bars: the
        dialect slurm over phases of its backfilling passes.""",
    "strategies": """Results of a workflow of four stages under each strategy: on a real Slurm, and
        in a simulation of the same load. Background load: a window of KTH-SP2.""",
}


def caption(item: str, factor: float) -> str:
    """Return the caption of an item; `factor` is how much faster the clocks run."""
    return TEXTS[item].format(factor=factor)
