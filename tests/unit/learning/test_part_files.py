"""Jobs that run trials resume where they stopped unless their code has changed."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.learning import scores
from schedlab.learning.tuples import draw_tuples
from schedlab.traces.records import record_of, sha256_of
from schedlab.workloads import lublin

SCRIPTS = Path(__file__).parents[3] / "workflow/scripts/carastan2017"
PROCESSORS, TRIALS, TUPLES = 256, 1024, 3
KEY = ["test", "parts"]


@pytest.fixture(scope="module")
def workload(tmp_path_factory):
    """A file of jobs, and one of published scores of tuples of these jobs."""
    folder = tmp_path_factory.mktemp("workload")
    frame = lublin.generate(1500, PROCESSORS, generator("test", "parts"))
    write_parquet(frame, folder / "jobs.parquet")
    drawn = draw_tuples(Jobs.from_frame(frame), TUPLES, *KEY, "places")
    found = scores.score_distribution(
        drawn, PROCESSORS, TRIALS, "uniform", KEY, folder / "published.part"
    )
    columns = ["runtime", "procs", "submit", "score"]
    path = folder / "published.swf"
    found[columns].to_csv(path, header=False, index=False)
    record_of(path).write_text(json.dumps({"written": sha256_of(path)}))
    return folder


@pytest.fixture
def simulated(monkeypatch):
    """Tuples that are simulated, one entry each."""
    seeds, simulate = [], scores.simulate_trials

    def watched(tuples, processors, trials, its, *rest):
        seeds.extend(its)
        return simulate(tuples, processors, trials, its, *rest)

    monkeypatch.setattr(scores, "simulate_trials", watched)
    return seeds


def job_of(name, monkeypatch):
    """Return what a script runs, stopped before it writes its result."""
    spec = spec_from_file_location(name, SCRIPTS / f"{name}.py")
    script = module_from_spec(spec)
    spec.loader.exec_module(script)

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "write_parquet", stopped)
    return getattr(script, name)


def arguments_of(name, workload, folder):
    """Return the arguments of the job, without the digest of its code."""
    shared = {"jobs": str(workload / "jobs.parquet"), "processors": PROCESSORS}
    shared |= {"key": KEY, "threads": 1}
    out = str(folder / "out.parquet")
    sites = {"tuples": TUPLES, "fewest": 1, "trials": TRIALS}
    published = str(workload / "published.swf")
    own = {
        "score_distribution": {"tuples": TUPLES, "trials": TRIALS, "sampler": "uniform"},
        "compare_samplers": {"published": published, "trials": TRIALS, "joined": out},
        "score_site": {"label": "SITE", "settings": sites, "draws": f"{out}.draws"},
    }
    written = {} if name == "compare_samplers" else {"scores": out}
    return shared | own[name] | written


@pytest.mark.parametrize("name", ["score_distribution", "compare_samplers", "score_site"])
def test_a_part_file_of_other_code_is_not_resumed(name, workload, tmp_path, monkeypatch, simulated):
    job, arguments = job_of(name, monkeypatch), arguments_of(name, workload, tmp_path)

    def ran(code):
        simulated.clear()
        with pytest.raises(KeyboardInterrupt):
            job(**arguments, code=code)
        return len(simulated)

    first = ran("one")
    assert first >= TUPLES
    assert ran("one") == 0
    assert ran("another") == first
