"""Run AccaSim 1.1.3 (PyPI: accasim) on a workload of the kit, in an environment that has it.

usage: python accasim_adapter.py RULE WORKLOAD.swf PROCESSORS OUT.csv

RULE is strict (FirstInFirstOut), easy (EASYBackfilling), or short_first (ShortestJobFirst).
"""

import collections
import collections.abc
import json
import sys
import tempfile
from pathlib import Path

# names that Python 3.10 removed and AccaSim imports
for name in ("Mapping", "Iterable", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))

from accasim.base.allocator_class import FirstFit  # noqa: E402
from accasim.base.scheduler_class import (  # noqa: E402
    EASYBackfilling,
    FirstInFirstOut,
    ShortestJobFirst,
)
from accasim.base.simulator_class import Simulator  # noqa: E402

DISPATCHERS = {"strict": FirstInFirstOut, "easy": EASYBackfilling, "short_first": ShortestJobFirst}


def main(rule: str, workload: str, processors: str, out: str) -> None:
    """Simulate, and write number and start of each job."""
    with tempfile.TemporaryDirectory() as folder:
        machine = Path(folder) / "machine.json"
        text = {"groups": {"all": {"core": int(processors)}}, "resources": {"all": 1}}
        text |= {"start_time": 0, "equivalence": {"processor": {"core": 1}}}
        machine.write_text(json.dumps(text))
        columns = {"number": ("id", "str"), "start": ("start_time", "int")}
        simulator = Simulator(
            *(workload, str(machine), DISPATCHERS[rule](FirstFit())),
            statistics_output=False,
            show_statistics=False,
            RESULTS_FOLDER_PATH=folder,
            SCHEDULE_OUTPUT={"format": "{number},{start}", "attributes": columns},
        )
        files = simulator.start_simulation()
        (path,) = files.values() if isinstance(files, dict) else Path(folder).glob("sched-*")
        Path(out).write_text("number,start\n" + Path(path).read_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
