"""Run found and known policies on the windows of all parts of the study."""

from collections.abc import Mapping, Sequence

from schedlab.comparison.user_schedulers import user_policies
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.programs.trial import judge, read_logs


def judge_programs(
    front: str,
    jobs: Sequence[str],
    settings: Mapping,
    processors: Mapping[str, int],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    weights: Mapping[str, str],
    measured: str,
) -> None:
    """Write a row for each window and scheduler."""
    logs = read_logs(list(processors), jobs, processors)
    neural = {
        log: user_policies((), weights, read_parquet(path))
        for log, path in zip(logs, jobs, strict=True)
        if len(logs[log][0])
    }
    rows = judge(read_parquet(front), logs, settings, advice, points, threads, neural)
    write_parquet(rows, measured)


if __name__ == "__main__":
    run_script(judge_programs, snakemake)  # noqa: F821
