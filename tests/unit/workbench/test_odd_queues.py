"""Files of a live queue with random changes are read, or refused in one line."""

import copy
import json
import random
from pathlib import Path

import pytest

from schedlab.traces.slurm.queue_entries import QueueError
from schedlab.workbench.queue_state import load_queue
from schedlab.workbench.whatif import what_if

SLURM = Path(__file__).parent / "slurm-22.05"
ODD = [None, True, 0, -1, -5, 1.5, 1e308, float("inf"), float("nan"), 2**31, 2**32 - 1, 2**63]
ODD += [2**64 - 1, 10**30, "", "x", "\x1b[2J", "\ud800", "1", "R", "20+1", "1-4000000", "n[1-"]
ODD += [[], [1], ["RUNNING"], [[]], {}, {"set": True}, {"set": True, "number": 2**40}, {"list": 3}]
ODD += ["afterok:7", "afterok:", "main,batch", {"infinite": True}, {"number": None}]
#: odd cells of a text, besides
CELLS = [*map(str, ODD), "N/A", "1970-01-01T00:00:00", "9999-12-31T23:59:59", "0001-01-01T00:00:00"]
CELLS = [cell for cell in CELLS if cell != "\ud800"]
CELLS += ["9" * 20, "9" * 5000, "5_[1-4000000]", "5_[3-1]", "20+0", "S", "idle-", "1.5K", "2P"]


def places(value, path=()):
    """All paths to values within lists and objects."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield (*path, key)
        if isinstance(value[key], dict | list):
            yield from places(value[key], (*path, key))


def with_odd_values(content, rng):
    content = copy.deepcopy(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        *path, last = rng.choice(list(places(content)))
        holder = content
        for key in path:
            holder = holder[key]
        if rng.random() < 0.2:
            del holder[last]
        else:
            holder[last] = rng.choice(ODD)
        if not content:
            break
    return content


def with_odd_cells(text, rng):
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(lines))
        cells = lines[place].split("|")
        cell = rng.randrange(len(cells))
        kind = rng.random()
        if kind < 0.6:
            cells[cell] = rng.choice(CELLS)
        elif kind < 0.9 and cells[cell]:
            signs = list(cells[cell])
            signs[rng.randrange(len(signs))] = chr(rng.randrange(32, 500))
            cells[cell] = "".join(signs)
        else:
            del cells[cell:]
        lines[place] = "|".join(cells)
    return "\n".join(lines)


def newer(content):
    """With numbers as objects and states as lists, as from Slurm 23.02 on."""
    for job in content["jobs"]:
        for name in ("cpus", "submit_time", "time_limit", "priority"):
            job[name] = {"set": True, "infinite": False, "number": job[name]}
        job["job_state"] = [job["job_state"]]
        job |= {"het_job_id": {"set": True, "infinite": False, "number": 0}}
    return content


def is_read_or_refused(folder, queue, machine):
    """Whether a queue is read; its refusal is one line that names the file."""
    paths = folder / "queue", folder / "machine"
    paths[0].write_text(queue, "utf-8", "surrogatepass")
    paths[1].write_text(machine, "utf-8", "surrogatepass")
    try:
        present = load_queue(*paths, at="1795351397")
    except QueueError as error:
        message = str(error)
        assert message.isprintable()
        assert len(message) < 800
        assert str(folder) in message
        return False
    if len(present.jobs):
        what_if(present, ["fcfs"])
    return True


@pytest.mark.parametrize("seed", range(4))
def test_json_with_odd_values(seed, tmp_path):
    rng = random.Random(seed)
    queue = json.loads((SLURM / "squeue.json").read_text())
    queue = newer(queue) if seed % 2 else queue
    machine = json.loads((SLURM / "sinfo.json").read_text())
    outcomes = set()
    for _ in range(80):
        files = [queue, machine]
        changed = rng.randrange(4) == 0
        files[changed] = with_odd_values(files[changed], rng)
        outcomes.add(is_read_or_refused(tmp_path, *map(json.dumps, files)))
    assert outcomes == {True, False}


@pytest.mark.parametrize("seed", range(3))
def test_text_with_odd_cells(seed, tmp_path):
    rng = random.Random(seed)
    # SWF logs have no bars: a first line with one is of squeue
    names, machine = "JOBID|\n", (SLURM / "sinfo.txt").read_text()
    outcomes = set()
    for _ in range(120):
        files = [(SLURM / "squeue.txt").read_text(), machine]
        changed = rng.randrange(4) == 0
        files[changed] = with_odd_cells(files[changed], rng)
        outcomes.add(is_read_or_refused(tmp_path, names + files[0], files[1]))
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    "content", ["{", '{"jobs": ' + "[" * 100_000, '{"jobs": [3]}', '{"jobs": 3}', '{"errors": {}}']
)
def test_json_that_is_no_list_of_objects(content, tmp_path):
    assert not is_read_or_refused(tmp_path, content, "")
