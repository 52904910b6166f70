"""Run online learners on the weeks of each trace: regret, a figure, sentences for each trace."""

from collections.abc import Mapping, Sequence

from schedlab.core.streams import generator
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table, write_items
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.by_trace import draw_regret
from schedlab.studies.legrand2018.periods import read_surface
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import stacked, with_trace


def learn_online(
    rows: Sequence[Mapping],
    windows: Sequence[int],
    repetitions: int,
    resamples: int,
    surfaces: Sequence[str],
    pure: Sequence[str],
    learned: str,
    outputs: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
) -> None:
    """Write every learner's losses, the table with its sentences, and the figure's data."""
    losses, compared, paths, titles, sentences = [], [], [], {}, []
    text = words["online"]["sentence"]
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
        sentences.append(online.verdict(table, experiment.name, ranges, text))
        frames = (found, table, online.regret_paths(found, space, policies))
        for kept, frame in zip((losses, compared, paths), frames, strict=True):
            kept.append(with_trace(experiment, frame))
    write_parquet(stacked(losses), learned)
    facts = {"resamples": f"{resamples:,}", "block": online.BLOCK}
    more = "\n".join(f"- {sentence}" for sentence in sentences)
    table = Table(stacked(compared), facts=facts, more=more)
    figure = Picture(draw_regret(stacked(paths), titles), stacked(paths))
    said = "\n".join([*sentences, online.how(resamples)])
    write_items({"online": (table, said), "fig_online": figure}, outputs, words=words)


if __name__ == "__main__":
    run_script(learn_online, snakemake)  # noqa: F821
