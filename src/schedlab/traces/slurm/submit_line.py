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
import pyarrow as pa
import pyarrow.compute as pc

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
_SHORT = {"N": "nodes", "n": "ntasks", "c": "cpus-per-task", "C": "constraint", "d": "dependency"}
#: those with a value after `=` only, and others of this kind or without a value
_READ_FLAGS = "exclusive|nice"
_FLAGS = (
    "contiguous|get-user-env|hold|ignore-pbs|kill-on-invalid-dep|no-kill|no-requeue|overcommit|"
    "oversubscribe|parsable|propagate|quiet|reboot|requeue|share|spread-job|test-only|"
    "use-min-nodes|verbose|wait"
)
#: other options with a value
_VALUED = (
    "account|acctg-freq|array|batch|bb|begin|chdir|clusters|core-spec|cores-per-socket|cpu-freq|"
    "cpus-per-gpu|deadline|distribution|error|exclude|export|gid|gpus|gpus-per-socket|"
    "gpus-per-task|hint|input|job-name|licenses|mail-type|mail-user|mem-bind|mem-per-gpu|mincpus|"
    "network|nodelist|ntasks-per-core|ntasks-per-gpu|ntasks-per-node|ntasks-per-socket|open-mode|"
    "output|partition|priority|profile|qos|reservation|signal|sockets-per-node|switches|"
    "thread-spec|threads-per-core|time|time-min|tmp|uid|wckey"
)


def _words(valued: str, flags: str, short_valued: str, short_flags: str) -> str:
    """Return the pattern of a word of a command line, with its value."""
    return (
        rf"\s+(?:--(?:{valued})(?:=\S*|\s+\S+)|--(?:{flags})(?:=\S*)?"
        rf"|-[{short_valued}]\s*\S+{short_flags})"
    )


_READ_NAMES = "|".join(name for name in _READ if name not in _READ_FLAGS)
_WANTED = _words(_READ_NAMES, _READ_FLAGS, "".join(_SHORT), "")
_OTHERS = _words(_VALUED, _FLAGS, "aABDeFGiJLmMopqStwx", "|-[HkOQsv]+")
_OPTIONS = rf"^(?:\S*/)?(?:sbatch|salloc|srun)(?P<options>(?:{_WANTED}|{_OTHERS})*)"


def read_submit_lines(lines: list[str]) -> tuple[np.ndarray, list[Values]]:
    """Return the distinct requests that command lines name, and the place of each line's in them.

    Keys are columns of `schedlab.core.requests.DEFAULTS`, and `DEPENDS`. Values that cannot be read
    are left out.

    Examples
    --------
    >>> read_submit_lines(["sbatch -N2 --mem=4G run.sh --exclusive"])[1]
    [{'nodes': 2, 'most_nodes': 2, 'memory': 4096, 'per_cpu': False}]
    """
    # few lines differ in what is read
    options = pc.struct_field(pc.extract_regex(pa.array(lines, pa.string()), _OPTIONS), "options")
    wanted = pc.replace_substring_regex(pc.fill_null(options, ""), _OTHERS, "").dictionary_encode()
    return wanted.indices.to_numpy(), [_values_in(text) for text in wanted.dictionary.to_pylist()]


def _values_in(options: str) -> Values:
    values: dict[str, int | bool | str] = {}
    for word in re.finditer(_WANTED, options):
        name, _, value = re.sub(r"^(--[a-z-]+|-\w)[\s=]*", r"\1 ", word[0].strip()).partition(" ")
        values |= _READ[_SHORT.get(name[1:], name[2:])](value)
    return values
