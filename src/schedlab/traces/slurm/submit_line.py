"""Requests in the command line of a job, field SubmitLine of an `sacct` dump.

Options of the command line override those of the script, so what is read here is certain. Reading
ends at the first word that may be the script, because words after it are the script's own.

References
----------
Slurm, sacct(1), field SubmitLine; sbatch(1).
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from schedlab.core.requests import UNKNOWN
from schedlab.traces.slurm.sacct_requests import in_megabytes

Values = Mapping[str, int | bool | str]
#: whether the line names a dependency, which may be one that no request expresses
DEPENDS = "depends"
_NODES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_GRES = re.compile(r"(?:gres[:/])?([A-Za-z_]\w*(?::[A-Za-z_][\w.-]*)?)(?:[:=](\d{1,9}))?", re.ASCII)
_AFTER = re.compile(r"after(?:any|ok|notok|corr)((?::\d+)+)", re.ASCII)


def _nodes(text: str) -> Values:
    match = _NODES.fullmatch(text)
    return {"nodes": int(match[1]), "most_nodes": int(match[2] or match[1])} if match else {}


def _number(name: str, text: str) -> Values:
    return {name: int(text)} if re.fullmatch(r"-?\d{1,9}", text, re.ASCII) else {}


def _memory(per_cpu: bool, text: str) -> Values:
    megabytes = in_megabytes(text)
    return {} if megabytes is None else {"memory": megabytes, "per_cpu": per_cpu}


def _gres(text: str) -> Values:
    items = [_GRES.fullmatch(item) for item in text.split(",")]
    known = [f"{item[1]}:{item[2] or 1}" for item in items if item and item[1] != "none"]
    return {"gres": ",".join(known)} if all(items) else {}


def _dependency(text: str) -> Values:
    items = [_AFTER.fullmatch(item) for item in text.split(",")]
    numbers = ",".join(item[1][1:].replace(":", ",") for item in items if item)
    return {DEPENDS: True} | ({"after": numbers} if all(items) else {})


#: options that are read, by long name; the text is empty if they have no value
_READ: dict[str, Callable[[str], Values]] = {
    "nodes": _nodes,
    "ntasks": partial(_number, "tasks"),
    "cpus-per-task": partial(_number, "cpus_per_task"),
    "mem": partial(_memory, False),
    "mem-per-cpu": partial(_memory, True),
    "gres": _gres,
    "gpus-per-node": lambda text: _gres(f"gpu:{text}"),
    "constraint": lambda text: {"features": text},
    "dependency": _dependency,
    "exclusive": lambda text: {} if text else {"exclusive": True},
    "nice": lambda text: _number("nice", text or "100"),
}
#: long name of each option that is read, as it is written
_NAMES = {f"--{name}": name for name in _READ} | {
    **{"-N": "nodes", "-n": "ntasks", "-c": "cpus-per-task", "-C": "constraint"},
    "-d": "dependency",
}
#: options without a value, or with one after `=` only
_FLAGS = (
    "contiguous exclusive get-user-env hold ignore-pbs kill-on-invalid-dep nice no-kill no-requeue "
    "overcommit oversubscribe parsable propagate quiet reboot requeue share spread-job test-only "
    "use-min-nodes verbose wait"
)
#: other options with a value
_VALUED = (
    "account acctg-freq array batch bb begin chdir clusters core-spec cores-per-socket cpu-freq "
    "cpus-per-gpu deadline distribution error exclude export gid gpus gpus-per-socket "
    "gpus-per-task hint input job-name licenses mail-type mail-user mem-bind mem-per-gpu mincpus "
    "network nodelist ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode "
    "output partition priority profile qos reservation signal sockets-per-node switches "
    "thread-spec threads-per-core time time-min tmp uid wckey"
)
_LONG_FLAGS = {f"--{name}" for name in _FLAGS.split()}
_SHORT_FLAGS = {f"-{letter}" for letter in "HkOQsv"}
_LONG = {f"--{name}" for name in _VALUED.split()} | _LONG_FLAGS | _NAMES.keys()
_SHORT = {f"-{letter}" for letter in "aABDeFGiJLmMopqStwx"} | _SHORT_FLAGS | _NAMES.keys()
_END, _OTHER, _OTHER_AND_VALUE, _WANTED, _WANTED_AND_VALUE = range(5)


class _Kinds(dict[str, int]):
    """Kinds of words of command lines; few words differ."""

    def __missing__(self, word: str) -> int:
        option, equals, value = _split(word)
        if option not in (_LONG if word.startswith("--") else _SHORT):
            kind = _END
        else:
            kind = _WANTED if option in _NAMES else _OTHER
            kind += not (equals or value or option in _LONG_FLAGS | _SHORT_FLAGS)
        self[word] = kind
        return kind


def _split(word: str) -> tuple[str, str, str]:
    """Return the option that a word begins with, its `=`, and its value."""
    return word.partition("=") if word.startswith("--") else (word[:2], "", word[2:])


def read_submit_lines(lines: list[str]) -> tuple[np.ndarray, list[Values]]:
    """Return the distinct requests that command lines name, and the place of each line's in them.

    Keys are columns of `schedlab.core.requests.DEFAULTS`, and `DEPENDS`. Values that cannot be read
    are left out.

    Examples
    --------
    >>> read_submit_lines(["sbatch -N2 --mem=4G run.sh --exclusive"])[1]
    [{'nodes': 2, 'most_nodes': 2, 'memory': 4096, 'per_cpu': False}]
    """
    kinds = _Kinds()
    # few lines differ in what is read, and many only in the last word, which is the script
    distinct: dict[tuple[str, ...], int] = {}
    without_last: dict[str, int] = {}
    places = []
    for line in lines:
        options, _, last = line.rpartition(" ")
        place = UNKNOWN if last[:1] == "-" else without_last.get(options, UNKNOWN)
        if place < 0:
            words, _ = _wanted(line, kinds)
            place = distinct.setdefault(words, len(distinct))
            if last[:1] != "-" and _wanted(options, kinds) == (words, True):
                without_last[options] = place
        places.append(place)
    return np.array(places, dtype=np.int64), [_values_in(words) for words in distinct]


def _wanted(line: str, kinds: _Kinds) -> tuple[tuple[str, ...], bool]:
    """Return the words of options that are read, each with its value behind it or in it.

    The other result is whether no value is missing at the end.
    """
    words = line.split()
    if not words or words[0].rpartition("/")[2] not in ("sbatch", "salloc", "srun"):
        return (), False
    wanted = []
    value: str | None = ""
    rest = iter(words)
    next(rest)
    for word in rest:
        kind = kinds[word]
        if kind == _END:
            break
        if kind == _WANTED:
            wanted.append(word)
        elif kind != _OTHER:
            value = next(rest, None)
            if kind == _WANTED_AND_VALUE:
                wanted += [word, value or ""]
    return tuple(wanted), value is not None


def _values_in(words: tuple[str, ...]) -> Values:
    values: dict[str, int | bool | str] = {}
    rest = iter(words)
    for word in rest:
        option, _, value = _split(word)
        if _Kinds()[word] == _WANTED_AND_VALUE:
            value = next(rest)
        values |= _READ[_NAMES[option]](value)
    return values
