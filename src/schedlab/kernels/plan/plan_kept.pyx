"""Saved plans that are restored in another machine and searched there step by step.

A saved plan is a dict of columns: running and planned jobs in order, and the usage of users by
then; `schedlab.planning.search.Plan` documents it. Saving and restoring cost O(running and planned
jobs), and an update each.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.plan.plan cimport Line, Task, line_put, plan_begin, plan_update
from schedlab.kernels.plan.plan_best cimport sums_of
from schedlab.kernels.plan.plan_nodes cimport Spread
from schedlab.kernels.plan.plan_rules cimport Rule
from schedlab.kernels.plan.plan_search cimport search_begin, search_end, search_on
from schedlab.kernels.plan.planning cimport IS_RUNNING, IS_WAITING, Planner


cdef class KeptPlanner(Planner):
    """Machine with an execution plan that can be saved, restored and searched."""

    def snapshot(self):
        """Return running and planned jobs, and waits and usage of users; see `restore`."""
        cdef int32_t c, k
        cdef Line* line
        running, planned = [], []
        for c in range(self.plan.lines):
            line = &self.plan.line[c]
            running += [line.run[k].task for k in range(line.runs)]
            planned += [line.order[k] for k in range(line.count)]
        users = self.plan.users
        return {
            "now": self.plan.now,
            "handle": np.array(running + planned, dtype=np.int32),
            "is_running": np.arange(len(running) + len(planned)) < len(running),
            **self.tasks(running + planned),
            "seen": self.search.seen,
            "known_wait": self.column["known_wait"].view(np.int64)[:users].copy(),
            "usage": self.column["usage"].view(np.float64)[:users].copy(),
            **self.places(running + planned),
        }

    def places(self, list jobs):
        """Return the spreads of some jobs and their nodes in the plan, if nodes are planned."""
        cdef Spread* s
        cdef int32_t k, c
        if not self.plan.by_node:
            return {}
        spread = np.zeros((len(jobs), self.plan.lines, 5), dtype=np.int64)
        cdef int64_t[:, :, ::1] to = spread
        for k in range(len(jobs)):
            for c in range(self.plan.lines):
                s = &self.plan.spread[<int64_t>jobs[k] * self.plan.lines + c]
                to[k, c, 0], to[k, c, 1], to[k, c, 2] = s.nodes, s.more, s.few
                to[k, c, 3], to[k, c, 4] = s.is_whole, s.ram
        nodes = self.column["kept"].view(np.uint64)[: self.jobs * self.plan.words]
        nodes = nodes.reshape(self.jobs, self.plan.words)
        return {"spread": spread, "nodes": nodes[np.array(jobs, dtype=np.intp)]}

    def tasks(self, list jobs):
        """Return the plan's data on some jobs as a dict of columns."""
        cdef Task* t
        rows = []
        for job in jobs:
            t = &self.plan.task[<int32_t>job]
            rows.append(
                (t.start, t.estimate, t.submit, t.need, t.user, t.cluster, t.allowed)
            )
        names = ("start", "estimate", "submit", "need", "user", "cluster", "allowed")
        types = (np.int64, np.int64, np.int64, np.int32, np.int32, np.int32, np.uint64)
        columns = zip(*rows) if rows else [()] * len(names)
        return {
            name: np.array(column, dtype=type_)
            for name, type_, column in zip(names, types, columns, strict=True)
        }

    def restore(self, dict plan):
        """Restore a plan of another machine; this one must have no jobs yet.

        Plans are updated, which moves no job of an updated plan. The result is only valid for
        searches, because the future ends of jobs are unknown.
        """
        cdef int64_t[::1] start = plan["start"]
        cdef int32_t[::1] cluster = plan["cluster"]
        cdef int64_t[::1] known_wait = plan["known_wait"]
        cdef double[::1] usage = plan["usage"]
        cdef int32_t k, user, n = <int32_t>start.shape[0]
        cdef Line* line
        self.submit(
            plan["submit"], plan["estimate"], plan["estimate"], plan["need"], plan["user"],
            plan["need"].astype(np.float64), plan["allowed"],
            np.zeros(n, dtype=np.int32), plan.get("spread"),
        )
        if self.plan.by_node:
            nodes = plan["nodes"].ravel()
            self.column["kept"].view(np.uint64)[: len(nodes)] = nodes
        self.make_users(max(len(usage), self.plan.users))
        self.arriving.size = 0
        for user in range(usage.shape[0]):
            self.search.known_wait[user], self.search.usage[user] = known_wait[user], usage[user]
        self.search.seen, self.plan.now = plan["seen"], plan["now"]
        for k in range(n):
            line = &self.plan.line[cluster[k]]
            self.plan.task[k].start, self.plan.task[k].cluster = start[k], cluster[k]
            if plan["is_running"][k]:
                self.state_[k] = IS_RUNNING
                line.order[0], line.count = k, 1
                plan_begin(&self.plan, line)
            else:
                self.state_[k] = IS_WAITING
        self.plan.planned = 0
        for k in range(n):
            if self.state_[k] == IS_WAITING:
                line = &self.plan.line[cluster[k]]
                line_put(line, line.count, k)
                self.plan.planned += 1
        self.refresh()

    def refresh(self):
        """Update every plan, whether or not a job ended earlier than expected."""
        cdef int32_t c
        with nogil:
            for c in range(self.plan.lines):
                plan_update(&self.plan, &self.plan.line[c])

    def search_begin(self, int32_t iterations, uint64_t state):
        """Begin a search of the present plan, with random numbers from `state` on."""
        search_begin(&self.plan, &self.search, &self.hunt, state, iterations)

    def search_on(self, int32_t until):
        """Continue the search until a number of iterations is done."""
        with nogil:
            search_on(&self.plan, &self.search, &self.hunt, until)
        if self.search.failed:
            raise MemoryError(f"no memory left for more than {self.search.room} moves")

    def search_end(self):
        """End the search with the best plan that it has seen."""
        search_end(&self.plan, &self.hunt)

    def found(self):
        """Return the result of `measure` for the best plan of a search in progress."""
        cdef double now[4]
        if self.hunt.rules.rule == Rule.FIRST:
            sums_of(&self.search, now)
            return self.means(now)
        return self.means(self.hunt.rules.best.criterion)
