"""Plans that are kept as they stand, put into another machine, and searched there step by step.

What is kept is a dict of columns: who runs and who is planned, in order, and what users had had by
then; `schedlab.planning.search.Plan` says which. Keeping and restoring cost O(jobs that run or are
planned), and an update each.
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
    """A machine that works by its plan, whose plan can be kept, restored and searched."""

    def snapshot(self):
        """Who runs and who is planned, and what users waited for and used; see `restore`."""
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
        """How some jobs are spread and which nodes they have in the plan, if nodes are planned."""
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
        """What a plan knows of some jobs: a dict of columns."""
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
        """Stand where a plan was taken from another one; this one has seen no job yet.

        Plans are brought up to date, which moves nobody of a plan that was. Only good for searches:
        what will end when is not known.
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
        """Bring every plan up to date, whether anything ended earlier than expected or not."""
        cdef int32_t c
        with nogil:
            for c in range(self.plan.lines):
                plan_update(&self.plan, &self.plan.line[c])

    def search_begin(self, int32_t iterations, uint64_t state):
        """Begin a search of the plan as it is, with the numbers that begin at `state`."""
        search_begin(&self.plan, &self.search, &self.hunt, state, iterations)

    def search_on(self, int32_t until):
        """Go on with it until so many iterations are done."""
        with nogil:
            search_on(&self.plan, &self.search, &self.hunt, until)
        if self.search.failed:
            raise MemoryError(f"no memory left for more than {self.search.room} moves")

    def search_end(self):
        """Leave the best plan that it has seen."""
        search_end(&self.plan, &self.hunt)

    def found(self):
        """As `measure`, of the best plan that a search which is under way has seen."""
        cdef double now[4]
        if self.hunt.rules.rule == Rule.FIRST:
            sums_of(&self.search, now)
            return self.means(now)
        return self.means(self.hunt.rules.best.criterion)
