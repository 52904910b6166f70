"""Which pairs may preempt which, as arrays for the kernel.

A pair of a job and a partition has a rank: its QOS with PreemptType=preempt/qos, its partition with
preempt/partition_prio, none otherwise. Slurm's order of the queue puts a pair in front of those
that it may preempt; here ranks have levels, each above those that it preempts, so that the order is
total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.slurm_site import Qos

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.core.machine import Partition
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
        # the last rank is of jobs without QOS
        ranks: list[Qos | Partition] = [*site.qos, Qos("")]
        place = {qos.name: k for k, qos in enumerate(ranks)}
        of_group = np.array([place.get(each.qos, place[""]) for each in groups], dtype=np.int64)
        rank = of_group[columns[:, 2]]
        order = [*(qos.priority for qos in site.qos), 0]
        may = np.array([[b.name in qos.preempts for b in ranks] for qos in (*site.qos, Qos(""))])
    elif site.preempt_type.endswith("partition_prio"):
        ranks, rank = [*site.machine.partitions], columns[:, 1]
        order = [each.tier for each in site.machine.partitions]
        nodes = [set(each.nodes) for each in site.machine.partitions]
        may = np.array(
            [
                [
                    order[a] > order[b] and not nodes[a].isdisjoint(nodes[b])
                    for b in range(len(order))
                ]
                for a in range(len(order))
            ]
        )
    else:
        ranks, rank, order = [Qos("")], np.zeros(len(columns), dtype=np.int64), [0]
        may = np.zeros((1, 1), dtype=bool)
    modes = [_mode(each.preempt, site) for each in ranks]
    # QOS do not preempt themselves (PreemptMode=WITHIN is not modeled)
    np.fill_diagonal(may, val=False)
    may = may & (np.array(modes) != KEEPS)
    return {
        "pair_rank": np.asarray(rank, dtype=np.int64),
        "may_preempt": may,
        "rank_level": np.array(_levels(may), dtype=np.int64),
        "rank_order": np.array(order, dtype=np.int64),
        "rank_mode": np.array(modes, dtype=np.int64),
        "rank_grace": np.array([each.grace for each in ranks], dtype=np.int64),
    }


def _mode(own: str, site: Site) -> int:
    """Return what a preempted job meets: the mode of its QOS or partition, else the cluster's."""
    text = (own if own.upper() not in ("", "CLUSTER") else site.preempt_mode).upper()
    mode = next((_MODES[word] for word in text.split(",") if word in _MODES), KEEPS)
    return CANCELLED if mode == REQUEUED and not site.requeue else mode


def _levels(may: np.ndarray) -> list[int]:
    """Return levels of ranks, each above those that it preempts; at most as many as ranks."""
    levels = [0] * len(may)
    for _ in range(len(may)):
        levels = [
            max((levels[other] + 1 for other in np.flatnonzero(row)), default=0) for row in may
        ]
    return levels
