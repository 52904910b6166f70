"""Snakemake examines the ready jobs when a job ends, not once a second for each."""

QUICK = ("--configfile", "config/quick.yaml")
TARGETS = [f"results/quick/workloads/lublin_quick_{size}.parquet" for size in (128, 256, 338, 1024)]


def test_ready_jobs_are_examined_once_per_completed_job(snakemake, new_project, tmp_path):
    """Four jobs of seconds in turn: by the default limit there would be a look a second more."""
    project = new_project(tmp_path)
    run = snakemake(project, *TARGETS, *QUICK, "--verbose", cores=1)
    assert run.returncode == 0, run.stdout
    assert f"{len(TARGETS)} of {len(TARGETS)} steps (100%) done" in run.stdout
    assert run.stdout.count("Resources before job selection") == len(TARGETS)


def test_explicit_limit_is_kept(snakemake, new_project, tmp_path):
    project = new_project(tmp_path)
    rules = project / "workflow/rules/submission.smk"
    shown = '    print("LIMIT", getattr(workflow.scheduler.job_rate_limiter, "max_jobs", None))\n'
    text = rules.read_text()
    assert text.endswith("    stop_timers()\n")
    rules.write_text(text + shown)
    asked = snakemake(project, TARGETS[0], *QUICK, "--max-jobs-per-timespan", "5/1s")
    assert "LIMIT 5" in asked.stdout
    default = snakemake(project, TARGETS[0], *QUICK, "--force")
    assert "LIMIT None" in default.stdout
