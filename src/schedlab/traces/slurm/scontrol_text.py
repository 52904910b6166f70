"""Dumps of a running Slurm: ``scontrol show config|partition|node|reservation``, with -o or not.

Their records are those of slurm.conf, with the keys that dumps have more. A file may hold several
dumps, one after another.

References
----------
Slurm, scontrol(1), command show.
"""

import re
from pathlib import Path

from schedlab.traces.slurm.conf_text import Record, Setting, text_of

KINDS = {"nodename": "node", "partitionname": "partition", "reservationname": "reservation"}
CONFIG = "Configuration data as of"
#: keys that dumps alone have
_ONLY = re.compile(rf"^{CONFIG}|\b(CPUAlloc|TotalNodes|NodeCnt|AllocNodes)=", re.MULTILINE)
_KEY = re.compile(r"(?:^|\s)([A-Za-z_][\w:]*)=")
#: texts of people, to the end of the line
_TEXT = re.compile(r"\s(?:Reason|Comment|Extra)=.*")
_CONFIG = re.compile(r"(\w+)(?:\[\d+\])?\s*= ?(.*)")


def is_scontrol(text: str) -> bool:
    """Return whether a text is a dump."""
    return _ONLY.search(text) is not None


def read_scontrol(path: str | Path) -> list[Record]:
    """Read dumps; lines that belong to no object of `KINDS` are skipped."""
    records: list[Record] = []
    block: dict[str, Setting] = {}
    is_config = False
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        if not line.strip():
            continue
        if line.startswith(CONFIG):
            is_config = True
        elif first := re.match(r"(\w+)=", line):
            block = {}
            settings = _settings(str(path), number, line)
            if kind := KINDS.get(first[1].casefold()):
                records.append(Record(kind, settings[0], block))
                block |= {each.key.casefold(): each for each in settings[1:]}
        elif line[0].isspace():
            block |= {each.key.casefold(): each for each in _settings(str(path), number, line)}
        elif is_config and (pair := _CONFIG.fullmatch(line)):
            setting = Setting(str(path), number, pair[1], pair[2].strip())
            records.append(Record("conf", setting, {pair[1].casefold(): setting}))
        else:
            # the end of the configuration: states of controllers, or keys of cgroup.conf
            is_config = False
    return records


def _settings(path: str, number: int, line: str) -> list[Setting]:
    """Return the pairs of a line; a value ends before the next key."""
    line = _TEXT.sub("", line)
    keys = list(_KEY.finditer(line))
    ends = [key.start() for key in keys] + [len(line)]
    return [
        Setting(path, number, key[1], line[key.end() : end].strip())
        for key, end in zip(keys, ends[1:], strict=True)
    ]
