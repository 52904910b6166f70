"""Ageing of policies: whether waiting improves a job's rank; orders described in words."""

from dataclasses import replace

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.policies.mixed import MixedPolicy
from schedlab.policies.pure import AGEING, Policy, get

#: age differences in seconds between two otherwise equal jobs
OLDER = (3600, 86_400)
#: number of jobs of a log that are tested, evenly spread over it
LOOKED_AT = 1000
#: descriptions of the orders of registered policies
WORDS = {
    "fcfs": "first come, first served",
    "lcfs": "newest first",
    "spt": "shortest requested time first",
    "lpf": "longest requested time first",
    "saf": "smallest area (processors times requested time) first",
    "laf": "largest area (processors times requested time) first",
    "sqf": "fewest processors first",
    "lqf": "most processors first",
    "srf": "smallest requested time per processor first",
    "lrf": "largest requested time per processor first",
    "lexp": "longest wait relative to the requested time first",
    "sexp": "shortest wait relative to the requested time first",
    "wfp3": "longest wait relative to the requested time first, wide jobs preferred",
    "unicef": "longest wait relative to the requested time first, narrow jobs preferred",
    "f1": "few processors and a short requested time first, processors matter most",
    "f2": "few processors and a short requested time first",
    "f3": "smallest area (processors times requested time) first, older jobs preferred a little",
    "f4": "short requested time and few processors first, time matters most",
}
#: what weighted features of a mixed policy put first: for a positive and a negative weight
FEATURE_WORDS = {
    "q": ("few processors", "many processors"),
    "p": ("a short requested time", "a long requested time"),
    "wait": ("a long wait", "a short wait (the newest jobs)"),
    "ratio": ("little requested time per processor", "much requested time per processor"),
    "exp": ("a short relative wait", "a long relative wait"),
    "area": ("a small area", "a large area"),
}


def prefers_youth(policy: Policy, jobs: Jobs) -> bool:
    """Return whether a policy ever puts a job behind an otherwise equal but younger one."""
    places = np.unique(np.linspace(0, len(jobs) - 1, min(len(jobs), LOOKED_AT)).astype(int))
    for older in OLDER:
        sample = jobs.take(places)
        sample = sample.take(sample.submit >= older)
        if not len(sample):
            continue
        now = int(jobs.submit[-1]) + OLDER[-1]
        before = replace(sample, submit=sample.submit - older)
        # at the arrival of the younger job, and long after it
        for wait in (np.zeros(len(sample)), (now - sample.submit).astype(float)):
            young, old = policy.scores(sample, wait=wait), policy.scores(before, wait=wait + older)
            # rounding differences count as equal; log10(0) of the first submission is as -inf
            with np.errstate(invalid="ignore"):
                behind = old - young > 1e-9 * np.maximum(np.abs(old), np.abs(young))
            if behind.any():
                return True
    return False


#: subtracted from the score of a job that has waited too long; larger than any size
FAR = 10**15


def guarded(policy: Policy, threshold: int) -> Policy:
    """Return a policy as one expression that includes its starvation threshold in seconds.

    Jobs that have waited longer than the threshold come before all others, by submission. A
    simulator with a threshold setting (`schedlab.queue.simulation.Run`) needs no such expression.

    Examples
    --------
    >>> from schedlab.policies import get
    >>> guarded(get("spt"), 3600).expression
    '(r) * (1 - min(1, max(0, w - 3600))) + (s - 1000000000000000) * min(1, max(0, w - 3600))'
    """
    over = f"min(1, max(0, w - {threshold}))"
    text = f"({policy.expression}) * (1 - {over}) + (s - {FAR}) * {over}"
    return get(text, label=f"{policy.label}, guarded")


def in_words(policy: Policy) -> str:
    """Return in plain words how a policy orders jobs; a formula if there are no words."""
    if isinstance(policy, MixedPolicy):
        return _mixed_in_words(policy)
    name, ageing, _ = policy.name.partition("_age")
    if name not in WORDS:
        return f"by the smallest value of {policy.expression}"
    if not ageing:
        return WORDS[name]
    hours = AGEING // 3600
    size = WORDS[name].partition(",")[0]
    return f"{size}, and {hours} hours of waiting count as much as a size 2.7 times smaller"


def _mixed_in_words(policy: MixedPolicy) -> str:
    """Return the features of a mixed policy in words, the one of the largest weight first."""
    weights = dict(zip(FEATURE_WORDS, policy.weights, strict=True))
    order = sorted((name for name in weights if weights[name]), key=lambda one: -abs(weights[one]))
    features = [
        f"{FEATURE_WORDS[name][weights[name] < 0]} ({abs(weights[name]):.2f})" for name in order
    ]
    return (
        f"by a weighted sum that puts first {', then '.join(features)}"
        if features
        else WORDS["fcfs"]
    )
