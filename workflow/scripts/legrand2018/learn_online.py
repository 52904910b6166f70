"""Run online learners on the weeks of each trace: regret, a figure, sentences for each trace."""

from collections.abc import Mapping, Sequence

from schedlab.core.streams import generator
from schedlab.files.io import read_parquet, write_parquet, write_text
from schedlab.flow.scripts import run_script
from schedlab.report import tables
from schedlab.report.figures.picture import save
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.by_trace import draw_regret
from schedlab.studies.legrand2018.sentences import how, verdict
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import stacked, with_trace

NOTE = (
    "Sums over the testing weeks. chosen: the learner whose sum over the training weeks is "
    "lowest. fixed: what was best over the training weeks and stays, of the learner's own kind, a "
    "pure policy or weights (w*_train); ratio: sum over fixed_sum; low, high: its 95 % interval "
    "over {resamples:,} resamples of the weeks, drawn in blocks of {block} because neighbours "
    "depend on each other; outcome: lower or higher where that leaves 1 out, equal where every "
    "week "
    "is the same; adjusted: the same after Holm's correction for the learners of the trace. "
    "regret_fixed: against the best fixed of its kind with hindsight; regret_optimum: against "
    "each week's best weights. deviation: over the repetitions."
)


def learn_online(
    rows: Sequence[Mapping],
    windows: Sequence[int],
    repetitions: int,
    resamples: int,
    surfaces: Sequence[str],
    pure: Sequence[str],
    learned: str,
    csv: str,
    md: str,
    txt: str,
    figure_csv: str,
    pdf: str,
    png: str,
) -> None:
    """Write every learner's losses, the table with its sentences, and the figure's data."""
    losses, compared, paths, titles, sentences = [], [], [], {}, []
    for row, surface, runs in zip(rows, surfaces, pure, strict=True):
        experiment = PeriodExperiment(**row)
        space = read_surface(surface)
        policies = pure_by_period(read_parquet(runs), experiment.threshold)
        key = ["legrand2018", "online", experiment.experiment]
        found = online.learn_online(space, policies, windows, repetitions, key)
        ranges = online.Ranges(experiment.train, experiment.test)
        stream = generator(*key, "weeks")
        table = online.compare(found, space, policies, ranges, resamples, stream)
        titles[experiment.label] = experiment.name
        sentences.append(verdict(table, titles[experiment.label], ranges))
        frames = (found, table, online.regret_paths(found, space, policies))
        for kept, frame in zip((losses, compared, paths), frames, strict=True):
            kept.append(with_trace(experiment, frame))
    write_parquet(stacked(losses), learned)
    tables.write_csv(stacked(compared), csv)
    note = NOTE.format(resamples=resamples, block=online.BLOCK)
    note += "\n\n" + "\n".join(f"- {sentence}" for sentence in sentences)
    tables.write_markdown(stacked(compared), md, "Can anything be learned online?", note)
    write_text("\n".join([*sentences, how(resamples)]), txt)
    save(draw_regret(stacked(paths), titles), pdf, png)
    tables.write_csv(stacked(paths), figure_csv)


if __name__ == "__main__":
    run_script(learn_online, snakemake)  # noqa: F821
