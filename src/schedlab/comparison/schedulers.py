"""Schedulers of the arena by name, with a description of each."""

from dataclasses import dataclass
from typing import Literal

from schedlab.core.splitting import DAY
from schedlab.policies import get
from schedlab.policies.published import published

Kind = Literal["order", "learned", "mixed", "every", "predicted", "plan", "neural"]

#: the scheduler that the others are compared with
REFERENCE = "fcfs"
#: seconds of waiting after which a guarded scheduler puts a job in front of all others
GUARD = 2 * DAY


@dataclass(frozen=True)
class Scheduler:
    """Way to run a queue by users' estimates.

    Parameters
    ----------
    name, label : str
        Name in the sheet and in results; name in tables and figures.
    kind : {"order", "learned", "mixed", "every", "predicted", "plan", "neural"}
        EASY with an order of the registry, with one learned from trials, or with one learned from
        the log's first quarter; conservative backfilling, EASY++, or an execution plan; EASY with
        a published network.
    meaning, source : str
        Description in one line, and where it comes from.
    policy, backfill : str, optional
        For EASY: the queue order, and the order of backfilling if it differs.
    users : bool, default False
        Whether it needs to know the users of jobs.
    threshold : int, optional
        For EASY: seconds; jobs that have waited longer go in front of all others, by submission.
    """

    name: str
    label: str
    kind: Kind
    meaning: str
    source: str
    policy: str = REFERENCE
    backfill: str | None = None
    users: bool = False
    threshold: int | None = None


_CCGRID = "Carastan-Santos et al. 2019 (CCGrid)"
_ORDERS = {
    "fcfs": "carastan2017, legrand2018",
    "spf": f"legrand2018, {_CCGRID}",
    "saf": f"legrand2018, {_CCGRID}",
    "sqf": f"legrand2018, {_CCGRID}",
    **dict.fromkeys(("srf", "lcfs", "lpf", "laf", "lqf", "lrf", "lexp", "sexp"), "legrand2018"),
    **dict.fromkeys(("wfp3", "unicef", "f1", "f2", "f3", "f4"), "carastan2017"),
}
_LABELS = {"fcfs": "EASY", "spf": "SPF", "wfp3": "WFP3", "unicef": "UNICEF"}
_GUARDED = ("spf", "saf", "lpf", "f1", "f2", "f3", "f4")
_AGEING = ("spf", "saf", "lpf", "f1", "f2", "f4")
_HERE = "legrand2018, section 5.2 (threshold)"
_AGE = "here: the logarithm of the size, and the submission"

SCHEDULERS = {
    one.name: one
    for one in (
        *(
            Scheduler(
                name,
                _LABELS.get(name, get(name).label),
                "order",
                f"EASY, queue and backfilling by {get(name).label}",
                source,
                policy=name,
            )
            for name, source in _ORDERS.items()
        ),
        *(
            Scheduler(
                f"{name}_2d",
                f"{_LABELS.get(name, get(name).label)}, 2 d",
                "order",
                f"EASY by {get(name).label}; jobs that have waited more than two days go first",
                _HERE,
                policy=name,
                threshold=GUARD,
            )
            for name in _GUARDED
        ),
        *(
            Scheduler(
                f"{name}_age",
                f"{_LABELS.get(name, get(name).label)}-age",
                "order",
                f"EASY by the logarithm of {get(name).label}'s size and by submission",
                _AGE,
                policy=f"{get(name).name}_age",
            )
            for name in _AGEING
        ),
        Scheduler(
            "easy_sjbf_age",
            "EASY-SJBF-age",
            "order",
            "EASY, first come, first served, backfilled by the logarithm of the estimate and by "
            "submission",
            _AGE,
            backfill="spt_age",
        ),
        *(
            Scheduler(
                f"l{rank}",
                f"L{rank}",
                "learned",
                f"EASY, queue and backfilling by function no. {rank} of those fitted to trials",
                "carastan2017, learned here",
            )
            for rank in range(1, 5)
        ),
        Scheduler(
            "w_train",
            "w_train",
            "mixed",
            "EASY, backfilled shortest first, with the best weights of size, estimate and age on "
            "the first quarter of the log",
            "legrand2018",
            backfill="spf",
        ),
        Scheduler(
            "easy_sjbf",
            "EASY-SJBF",
            "order",
            "EASY, first come, first served, backfilled shortest first",
            "Tsafrir et al. 2007 (TPDS)",
            backfill="spf",
        ),
        Scheduler(
            "easy_pp",
            "EASY++",
            "predicted",
            "EASY-SJBF with predicted run times: the mean of the user's last two jobs",
            "Tsafrir et al. 2007 (TPDS)",
            users=True,
        ),
        Scheduler(
            "conservative",
            "Conservative",
            "every",
            "a reservation for every job, first come, first served, with compression of the plan",
            "klusacek2016; Mu'alem and Feitelson 2001",
        ),
        Scheduler(
            "orig_bf",
            "Orig-BF",
            "plan",
            "conservative backfilling in the order of the users' fair shares",
            "klusacek2016",
            policy="orig-bf",
            users=True,
        ),
        Scheduler(
            "plan_rs",
            "Plan-RS",
            "plan",
            "an execution plan that Random Search improves for waits, slowdowns and fairness",
            "klusacek2016",
            policy="plan-rs",
            users=True,
        ),
        *(
            Scheduler(
                name,
                entry.label,
                "neural",
                f"EASY, queue and backfilling by the published network {entry.label}, which was "
                "trained in another simulator",
                "zhang2020 (RLScheduler)",
            )
            for name, entry in published().items()
        ),
    )
}

#: schedulers that are excluded, and why
ABSENT = {
    "Co-schedulers of kellari2025": (
        "they share nodes, and a log does not contain the speed of two jobs on one node; pairs "
        "of applications would have to be invented for every job"
    ),
    "Strategies of souza2020": (
        "they decide when workflows are submitted, not which waiting job starts; the queue behind "
        "them is EASY"
    ),
    "Orig-BF on RICC": (
        "it reorders tens of thousands of waiting jobs whenever a user's share changes: one run "
        "over the whole log takes more than 45 minutes of processor time"
    ),
    "Strict order of carastan2017": (
        "a queue without backfilling (first half of its Table 4) leaves processors idle that "
        "every other scheduler uses"
    ),
}


def labels_of(names: list[str]) -> dict[str, str]:
    """Return the labels of schedulers; user-defined policies have their names."""
    return {name: SCHEDULERS[name].label if name in SCHEDULERS else name for name in names}
