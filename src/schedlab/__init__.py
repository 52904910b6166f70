"""schedlab: batch-scheduling experiments from raw job logs to tables and figures.

    import schedlab
    log = schedlab.load_log("site.swf.gz")
    result = schedlab.simulate(log, "f1")
    result = schedlab.simulate(log, lambda waiting: waiting.estimate * waiting.procs)

Names are imported when they are first asked for: ``import schedlab`` itself costs nothing.
"""

from importlib import import_module

#: what users call, and the module that has it
_HOMES = {
    "Jobs": "schedlab.core.jobs",
    "Schedule": "schedlab.core.jobs",
    "Log": "schedlab.workbench.log",
    "load_log": "schedlab.workbench.log",
    "Result": "schedlab.workbench.results",
    "as_recorded": "schedlab.workbench.results",
    "simulate": "schedlab.workbench.results",
    "compare": "schedlab.comparison.comparing",
    "tune": "schedlab.comparison.tuned_policy",
    "WaitingJobs": "schedlab.policies.waiting_jobs",
    "MachineState": "schedlab.policies.waiting_jobs",
    "SchedulerError": "schedlab.policies.functions",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a name of `_HOMES` when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'schedlab' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
