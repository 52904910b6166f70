"""Interrupted jobs over periods restart after a change of code or of tau."""

import runpy

import pandas as pd
import pytest

from schedlab.core.splitting import split
from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.files.resume import digest_of
from schedlab.flow.build import imported_by
from schedlab.learning.weights.mixed import scales_of
from schedlab.studies.legrand2018 import periods, search
from schedlab.workloads import lublin

PROCESSORS = 16
SETTINGS = {"evaluations": 8, "penalty": 1.0, "population": 4, "sigma": 0.5}
SEARCH = {"settings": SETTINGS, "key": ["test"]}
ARGUMENTS = {
    "cover_space": {"scaling": "deviation", "points": 4},
    "search_weights": SEARCH,
    "vary_search": SEARCH | {"variations": {"sigma": [1.0]}},
}
RESULT = {"cover_space": "surface"}
#: rules that share the script of another one
SCRIPT = {"vary_search": "search_weights"}


@pytest.fixture(params=ARGUMENTS)
def name(request):
    """Name of a resumable job."""
    return request.param


@pytest.fixture
def run(name, root, tmp_path):
    """Run a job's script on two weeks of a model; an interrupted one stops before its result."""
    jobs = split(lublin.generate(1200, PROCESSORS, generator("test", "periods")), "weeks")
    jobs = jobs[jobs["piece"] <= 2]
    write_parquet(jobs, tmp_path / "pieces")
    scales = scales_of(list(periods.read_periods(tmp_path / "pieces", [1, 2]).values()), PROCESSORS)
    write_parquet(pd.DataFrame({"deviation": scales}), tmp_path / "scales")
    script = root / f"workflow/scripts/legrand2018/{SCRIPT.get(name, name)}.py"

    def go(result, tau, code, interrupted=False):
        def stop(*_):
            raise KeyboardInterrupt

        job = runpy.run_path(str(script))[script.stem]
        if interrupted:
            job.__globals__["write_parquet"] = stop
        path = tmp_path / result
        job(
            pieces=str(tmp_path / "pieces"),
            scales=str(tmp_path / "scales"),
            numbers=[1, 2],
            processors=PROCESSORS,
            threshold=20_000,
            tau=tau,
            threads=1,
            code=code,
            **{RESULT.get(name, "found"): str(path)},
            **ARGUMENTS[name],
        )
        return pd.read_parquet(path)

    return go


def test_part_file_with_another_tau_is_not_resumed(run, tmp_path):
    """With tau changed from 10 to 60 and a part file present, the numbers are those of 60."""
    with pytest.raises(KeyboardInterrupt):
        run("result", 10, "code", interrupted=True)
    assert (tmp_path / "result.part").stat().st_size > 32
    found = run("result", 60, "code")
    pd.testing.assert_frame_equal(found, run("fresh", 60, "code"))
    assert not found.equals(run("before", 10, "code"))
    assert not (tmp_path / "result.part").exists()


def test_part_file_of_an_edited_module_is_not_resumed(name, run, root, tmp_path, monkeypatch):
    """With TAU changed in the metrics and a part file present, every period is computed again."""
    sources = list(
        imported_by(root / f"workflow/scripts/legrand2018/{SCRIPT.get(name, name)}.py").files
    )
    metrics = next(path for path in sources if path.name == "metrics.py")
    edited = tmp_path / "metrics.py"
    edited.write_text(metrics.read_text().replace("TAU = 10", "TAU = 60"))
    assert edited.read_bytes() != metrics.read_bytes()
    before = digest_of({}, *sources).hex()
    sources[sources.index(metrics)] = edited
    counted = []
    room, compute = (periods, "evaluate") if name == "cover_space" else (search, "xnes")
    original = getattr(room, compute)

    def count(*arguments, **others):
        counted.append(arguments)
        return original(*arguments, **others)

    monkeypatch.setattr(room, compute, count)
    with pytest.raises(KeyboardInterrupt):
        run("result", 10, before, interrupted=True)
    once = len(counted)
    with pytest.raises(KeyboardInterrupt):
        run("result", 10, before, interrupted=True)
    assert len(counted) == once > 0
    run("result", 10, digest_of({}, *sources).hex())
    assert len(counted) == 2 * once
