"""Which pairs may preempt which, as arrays for the kernel.

A pair of a job and a partition has a rank: its QOS with PreemptType=preempt/qos, its partition with
preempt/partition_prio, none otherwise. Slurm's order of the queue puts a pair in front of those
that it may preempt; here ranks have levels, each above those that it preempts, so that the order is
total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.core.slurm_site import Site
    from schedlab.queue.site_limits import Group

#: what happens to a preempted job
KEEPS, REQUEUED, CANCELLED = range(3)
_MODES = {"REQUEUE": REQUEUED, "CANCEL": CANCELLED}


def preemption_of(
    site: Site, columns: np.ndarray, groups: Sequence[Group]
) -> dict[str, np.ndarray]:
    """Return rank of each pair, and by rank: which it may preempt, level, order, mode, grace time.

    Victims of a smaller order are taken first. A mode is one of `KEEPS`, `REQUEUED`, `CANCELLED`.
    """
    if site.preempt_type.endswith("qos"):
        names = [qos.name for qos in site.qos] + [""]
        place = {name: k for k, name in enumerate(names)}
        of_group = np.array([place.get(group.qos, len(names) - 1) for group in groups])
        rank = of_group[columns[:, 2]] if len(columns) else columns[:, 2]
        may = np.array([[other in qos.preempts for other in names] for qos in site.qos])
        may = np.vstack([may.reshape(-1, len(names)), np.zeros((1, len(names)), dtype=bool)])
        order, modes, grace = (
            [*values, 0]
            for values in (
                [qos.priority for qos in site.qos],
                [_mode(qos.preempt, site) for qos in site.qos],
                [qos.grace for qos in site.qos],
            )
        )
    elif site.preempt_type.endswith("partition_prio"):
        parts = site.machine.partitions
        rank = columns[:, 1]
        shares = [[bool(set(a.nodes) & set(b.nodes)) for b in parts] for a in parts]
        may = np.array([[a.tier > b.tier for b in parts] for a in parts]) & np.array(shares)
        order = [each.tier for each in parts]
        modes = [_mode(each.preempt, site) for each in parts]
        grace = [each.grace for each in parts]
    else:
        rank, may = np.zeros(len(columns), dtype=np.int64), np.zeros((1, 1), dtype=bool)
        order, modes, grace = [0], [KEEPS], [0]
    may = may & (np.array(modes) != KEEPS)
    return {
        "pair_rank": np.asarray(rank, dtype=np.int64),
        "may_preempt": may,
        "rank_level": np.array(_levels(may), dtype=np.int64),
        "rank_order": np.array(order, dtype=np.int64),
        "rank_mode": np.array(modes, dtype=np.int64),
        "rank_grace": np.array(grace, dtype=np.int64),
    }


def _mode(own: str, site: Site) -> int:
    """Return what a preempted job meets: the mode of its QOS or partition, else the cluster's."""
    mode = _MODES.get((own or site.preempt_mode).upper().split(",")[0], KEEPS)
    return CANCELLED if mode == REQUEUED and not site.requeue else mode


def _levels(may: np.ndarray) -> list[int]:
    """Return levels of ranks, each above those that it preempts; at most as many as ranks."""
    levels = [0] * len(may)
    for _ in range(len(may)):
        levels = [
            max((levels[other] + 1 for other in np.flatnonzero(row) if other != rank), default=0)
            for rank, row in enumerate(may)
        ]
    return [min(level, len(may)) for level in levels]
