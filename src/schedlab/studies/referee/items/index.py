"""The items of the referee, and its replays."""

from typing import Any

from schedlab.report.items import Group, Item, Study, with_words
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG
from schedlab.waits.strategies import TYPED as STRATEGIES

LOGS = ("KTH-SP2", "SDSC-SP2")
MADE = "<results>/simulations/referee"


def page(study: Study) -> dict[str, Any]:
    """Return empty texts: the referee has no page."""
    return {"title": "", "authors": "", "venue": "", "summary": ""}


def groups(study: Study) -> list[Group]:
    """Return the groups of items."""
    replays = [
        {"log": log, "order": order, "repetition": repetition}
        for log in LOGS
        for order in SETTINGS
        for repetition in range(1, study.config[study.key]["repetitions"] + 1)
    ]
    factor = study.config[study.key]["factor"]
    all_groups = [
        Group(
            "compare_simulators",
            "Simulators",
            [
                *(Item("referee"), Item("ranking"), Item("fig_referee", "figure")),
                *(Item("windows", "data"), Item("findings", "text")),
            ],
            "Comparing the simulators with a real Slurm",
            {
                "windows": [window_of(log) for log in LOGS],
                "facts": [window_of(log, ".facts") for log in LOGS],
                "replays": [
                    f"{MADE}/{one['log']}.{one['order']}.{one['repetition']}.parquet"
                    for one in replays
                ],
            },
            {"logs": LOGS, "runs": replays},
            memory=1000,
            minutes=10,
        ),
        Group(
            "compare_strategies",
            "Strategies",
            [Item("strategies")],
            "Comparing the strategies",
            {
                "jobs": window_of(STRATEGIES_LOG),
                "workflow": study.locate("config/referee-workflow.yaml"),
                "real": [f"{MADE}/strategy.{strategy}.parquet" for strategy in STRATEGIES],
            },
            {"strategies": list(STRATEGIES.values())},
            memory=1000,
            minutes=10,
        ),
    ]
    return with_words(all_groups, study, lambda _: {"factor": factor})


def window_of(log: str, suffix: str = "") -> str:
    """Return the path of a log's window, or of a related file."""
    return f"{MADE}/{log}.window{suffix}.parquet"
