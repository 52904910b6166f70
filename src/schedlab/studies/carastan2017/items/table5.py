"""Make Table 5 of carastan2017: the measured logs, and the published numbers."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables.table5 import compare_table5, log_facts
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf

DECIMALS = {"utilisation": 1, "duration": 1}


def make(
    logs: Sequence[str], rows: Mapping[str, str], published: str, reasons: str
) -> dict[str, Table]:
    """Return Table 5 and its comparison; `rows` names the logs in the order of the files."""
    printed = comparison.read_published(published, "table5")
    facts = pd.DataFrame(
        [
            log_facts(name, read_swf(unaltered(path)))
            for name, path in zip(rows.values(), logs, strict=True)
        ]
    )
    compared = compare_table5(printed, facts, comparison.read_reasons(reasons, "table5"))
    return {
        "table5": Table(facts, DECIMALS),
        "table5_comparison": Table(compared, {"ratio": 4}),
    }
