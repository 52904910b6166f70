"""A machine with an execution plan, under external control: submit, advance to a time, read.

Algorithm: at each instant with an event, first the jobs that have run their time end. The plan is
updated on clusters where a job ended before its expected end. Arrivals are planned at the earliest
gap, one after the other, and due jobs start. If the last search is long enough ago, the plan is
searched, and jobs that are due after it start as well. With the order of queues there are no
updates and no searches: after ends and arrivals, the order is recomputed, and from it the plan.
With marks nothing is planned ahead: one pass over the waiting jobs starts those that fit.

A polling scheduler handles events at its next cycle: `active` seconds after one that started a
job, or otherwise every `idle` seconds.

Plan, update and gap are in `plan.pxd`, the search in `plan_search.pxd`, the order of queues in
`plan_queue.pxd`, marks in `plan_marking.pxd`. Data on jobs are in arrays over all jobs ever
submitted, in the order of their submission here. All of them are allocated in `submit`; only the
list of moves grows as time advances. `plan_kept.pyx` saves, restores and searches plans
separately.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from schedlab.kernels.common.chunks cimport Profile, profile_free, profile_make
from schedlab.kernels.common.due cimport Entry, due_add, due_drop
from schedlab.kernels.plan.plan cimport (
    End,
    Line,
    Task,
    is_plain,
    kept_nodes,
    plan_begin,
    plan_end,
    plan_insert,
    plan_update,
    spread_of,
)
from schedlab.kernels.plan.plan_ends cimport ends_room
from schedlab.kernels.plan.plan_marking cimport marks_add, marks_drop, marks_pass
from schedlab.kernels.plan.plan_nodes cimport Nodes, Spread, nodes_add, nodes_empty
from schedlab.kernels.plan.plan_queue cimport (
    fair_advance,
    fair_end,
    fair_leave,
    fair_plan,
    fair_sort,
)
from schedlab.kernels.plan.plan_best cimport sums_of
from schedlab.kernels.plan.plan_moves cimport CRITERIA, Move, measure
from schedlab.kernels.plan.plan_rules cimport Rule, Rules
from schedlab.kernels.plan.plan_search cimport (
    SMALL,
    search_plan,
    search_state,
)
from schedlab.kernels.plan.plan_shares cimport Share

#: states of a job
HELD, PENDING, WAITING, RUNNING, ENDED = range(5)

#: rules for moves of a search, as numbered by `Rule`
RULES = ("first", "annealing", "tabu")

_MOVES = np.dtype(
    [
        ("time", "i8"),
        ("wait", "f8"),
        ("slowdown", "f8"),
        ("fairness", "f8"),
        ("response", "f8"),
        ("gain", "f8"),
        ("iteration", "i4"),
        ("job", "i4"),
        ("origin", "i4"),
        ("target", "i4"),
        ("place", "i4"),
    ],
    align=True,
)


cdef class Planner:
    """Clusters, their plans, and time.

    The caller (`schedlab.planning.sessions`) checks the arguments; this class does not.
    """

    def __cinit__(
        self,
        const int32_t[::1] cpus,
        const int32_t[::1] long_most,
        int64_t long_beyond,
        int32_t user_most,
        const double[::1] weights,
        double tau,
        int32_t iterations,
        int64_t every,
        bint timed,
        uint64_t key,
        int64_t half_life,
        int32_t room,
        nodes=None,
        str rule="first",
        str choose="uniform",
        bint by_cluster=False,
        bint marking=False,
        int64_t idle=0,
        int64_t active=0,
    ):
        cdef int32_t k
        self.column, self.lines = {}, [{} for _ in range(cpus.shape[0])]
        self.plan.lines = <int32_t>cpus.shape[0]
        self.plan.line = <Line*>self.grown(self.column, "line", sizeof(Line) * self.plan.lines)
        for k in range(self.plan.lines):
            self.plan.line[k].cpus, self.plan.line[k].long_most = cpus[k], long_most[k]
            self.plan.is_limited |= long_most[k] < cpus[k]
        self.plan.is_limited |= user_most < max(cpus)
        self.plan.user_most, self.long_beyond = user_most, long_beyond
        for k in range(CRITERIA):
            self.search.weight[k] = weights[k]
        self.search.tau, self.search.least = tau, 1e-9
        self.hunt.rules.rule, self.hunt.by_share = RULES.index(rule), choose == "worst"
        self.hunt.by_cluster = by_cluster
        self.hunt.vain = <int32_t*>self.grown(
            self.column, "vain", sizeof(int32_t) * 2 * SMALL * SMALL
        )
        self.iterations, self.every, self.key = iterations, every, key
        self.may_search = True
        self.timed = timed and iterations > 0 and half_life <= 0
        self.searched = INT64_MIN // 2
        self.by_queue, self.fair.half_life = half_life > 0, max(half_life, 1)
        self.marking, self.idle, self.active = marking, idle, active
        self.marks.room = <int64_t*>self.grown(
            self.column, "unmarked", sizeof(int64_t) * self.plan.lines
        )
        if nodes is not None:
            self.make_nodes(nodes)
        if self.by_queue and not (self.plan.is_limited or self.plan.by_node or marking or idle):
            self.make_free()
        self.make_room(room)
        self.make_users(16)

    def __dealloc__(self):
        cdef int32_t k
        free(self.search.move)
        for k in range(self.plan.lines if self.fair.free != NULL else 0):
            profile_free(&self.fair.free[k])

    cdef void* grown(self, dict column, str name, int64_t size):
        # Return memory of a given size with its previous content; the rest is 0.
        cdef unsigned char[::1] bytes_
        cdef int64_t kept
        fresh = np.zeros(size + 16, dtype=np.uint8)
        if name in column:
            kept = min(size, len(column[name]) - 16)
            fresh[:kept] = column[name][:kept]
        bytes_ = column[name] = fresh
        return <void*>&bytes_[0]

    cdef void make_nodes(self, list nodes):
        # Set the nodes of each cluster: their number, processors and memory.
        cdef int32_t k
        cdef int64_t cpus, ram
        cdef Nodes* n
        self.plan.by_node = True
        self.plan.words = (max(count for count, _, _ in nodes) + 63) // 64
        for k in range(self.plan.lines):
            n, column = &self.plan.line[k].nodes, self.lines[k]
            n.count, n.cpus, n.ram = nodes[k]
            cpus, ram = sizeof(int32_t) * n.count, sizeof(int64_t) * n.count
            n.free_cpus = <int32_t*>self.grown(column, "free_cpus", cpus)
            n.free_ram = <int64_t*>self.grown(column, "free_ram", ram)
            n.least_cpus = <int32_t*>self.grown(column, "least_cpus", cpus)
            n.least_ram = <int64_t*>self.grown(column, "least_ram", ram)
            n.spare_cpus = <int32_t*>self.grown(column, "spare_cpus", cpus)
            n.spare_ram = <int64_t*>self.grown(column, "spare_ram", ram)
            nodes_empty(n)

    cdef int make_free(self) except -1:
        # Make the profiles of free processors of each cluster over time.
        cdef int32_t k
        cdef int64_t size = sizeof(Profile) * self.plan.lines
        self.fair.free = <Profile*>self.grown(self.column, "free", size)
        for k in range(self.plan.lines):
            if profile_make(&self.fair.free[k], self.plan.line[k].cpus):
                raise MemoryError("no memory left for a plan")
        return 0

    cdef void make_room(self, int32_t room):
        # Allocate columns for a number of jobs.
        cdef int32_t k
        cdef int64_t one = sizeof(int32_t) * <int64_t>room
        cdef Line* line
        column = self.column
        self.room = room
        self.plan.task = <Task*>self.grown(column, "task", sizeof(Task) * <int64_t>room)
        self.plan.heap = <End*>self.grown(column, "heap", sizeof(End) * <int64_t>(room + 3))
        self.plan.spare_heap = <End*>self.grown(
            column, "spare_heap", sizeof(End) * <int64_t>(room + 3)
        )
        if is_plain(&self.plan):
            self.plan.ends.node = <uint64_t*>self.grown(
                column, "ends", 2 * sizeof(uint64_t) * ends_room(room)
            )
            self.plan.ends.need = <int32_t*>self.grown(
                column, "end_needs", sizeof(int32_t) * ends_room(room)
            )
        self.runtime = <int64_t*>self.grown(column, "runtime", 2 * one)
        self.rate = <double*>self.grown(column, "rate", 2 * one)
        self.fair.queue = <int32_t*>self.grown(column, "queue", one)
        self.fair.rank = <int32_t*>self.grown(column, "rank", one)
        self.marks.next = <int32_t*>self.grown(column, "next", one)
        self.marks.previous = <int32_t*>self.grown(column, "previous", one)
        self.state_ = <signed char*>self.grown(column, "state", room)
        self.began = <int32_t*>self.grown(column, "began", one)
        self.ended = <int32_t*>self.grown(column, "ended", one)
        self.arriving.entry = <Entry*>self.grown(column, "arriving", sizeof(Entry) * <int64_t>room)
        self.running.entry = <Entry*>self.grown(column, "running", sizeof(Entry) * <int64_t>room)
        self.arriving.place = <int32_t*>self.grown(column, "place", one)
        self.running.place = self.arriving.place
        if self.plan.by_node:
            self.plan.spread = <Spread*>self.grown(
                column, "spread", sizeof(Spread) * self.plan.lines * <int64_t>room
            )
            self.plan.kept = <uint64_t*>self.grown(column, "kept", 2 * one * self.plan.words)
            self.plan.tried = <uint64_t*>self.grown(column, "tried", 2 * one * self.plan.words)
        if self.hunt.rules.rule != Rule.FIRST:
            self.make_rules(one)
        if self.hunt.by_share:
            self.hunt.share = <Share*>self.grown(column, "share", sizeof(Share) * <int64_t>room)
        for k in range(self.plan.lines):
            line, column = &self.plan.line[k], self.lines[k]
            line.order = <int32_t*>self.grown(column, "order", one)
            line.run = <End*>self.grown(column, "run", sizeof(End) * <int64_t>room)
            line.left = <int32_t*>self.grown(column, "left", one)
            line.fresh = <int64_t*>self.grown(column, "fresh", 2 * one)

    cdef void make_rules(self, int64_t one):
        # Allocate columns for the best plan, and for barred jobs: `one` bytes for a 32-bit word of
        # each job.
        cdef Rules* r = &self.hunt.rules
        column = self.column
        r.best.order = <int32_t*>self.grown(column, "best_order", one)
        r.best.start = <int64_t*>self.grown(column, "best_start", 2 * one)
        r.best.nodes = <uint64_t*>self.grown(column, "best_nodes", 2 * one * self.plan.words)
        r.barred = <int64_t*>self.grown(column, "barred", 2 * one)

    cdef void make_users(self, int32_t users):
        # Allocate columns for a number of users.
        cdef int64_t one = sizeof(int64_t) * <int64_t>users
        cdef int32_t user
        column = self.column
        self.marks.first = <int32_t*>self.grown(column, "first", one)
        self.marks.last = <int32_t*>self.grown(column, "last", one)
        self.marks.head = <int32_t*>self.grown(column, "head", one)
        for user in range(self.plan.users, users):
            self.marks.first[user], self.marks.last[user] = -1, -1
        self.plan.users = users
        self.plan.used = <int32_t*>self.grown(column, "used", one)
        self.plan.spare_used = <int32_t*>self.grown(column, "spare_used", one)
        self.search.known_wait = <int64_t*>self.grown(column, "known_wait", one)
        self.search.wait = <int64_t*>self.grown(column, "wait", one)
        self.search.usage = <double*>self.grown(column, "usage", one)
        self.search.by = <int64_t*>self.grown(column, "by", one)
        self.search.mark = <int64_t*>self.grown(column, "mark", one)
        self.fair.used = <double*>self.grown(column, "fair_used", one)
        self.fair.rate = <double*>self.grown(column, "fair_rate", one)
        self.fair.key = <int64_t*>self.grown(column, "fair_key", one)
        self.has_come = <bint*>self.grown(column, "has_come", one)
        self.search.touched = <int32_t*>self.grown(column, "touched", one)

    def submit(
        self,
        const int64_t[::1] submit,
        const int64_t[::1] runtime,
        const int64_t[::1] estimate,
        const int32_t[::1] need,
        const int32_t[::1] user,
        const double[::1] rate,
        const uint64_t[::1] allowed,
        const int32_t[::1] rank,
        const int64_t[:, :, ::1] spread=None,
        bint held=False,
    ):
        """Submit jobs now or later (submit times are not before the clock); return their places.

        Users are numbered from 0 in the order of their first jobs. If nodes are planned, `spread`
        has for each job and cluster the fields of `Spread`.
        """
        cdef int32_t k, c, job, first = self.jobs, n = <int32_t>submit.shape[0]
        cdef Task* t
        cdef Spread* s
        if first + n > self.room:
            self.make_room(max(first + n, 2 * self.room))
        if n and max(user) >= self.plan.users:
            self.make_users(max(max(user) + 1, 2 * self.plan.users))
        for k in range(n):
            job = first + k
            t = &self.plan.task[job]
            t.start, t.submit, t.estimate = -1, submit[k], estimate[k]
            t.pace = 1 / max(<double>estimate[k], self.search.tau)
            self.plan.longest = max(self.plan.longest, estimate[k])
            t.need, t.user, t.cluster = need[k], user[k], -1
            t.is_long, t.allowed = estimate[k] > self.long_beyond, allowed[k]
            self.runtime[job], self.rate[job] = runtime[k], rate[k]
            self.state_[job], self.fair.rank[job] = IS_HELD, rank[k]
            if not held:
                self.release(job, submit[k])
            if self.plan.by_node:
                for c in range(self.plan.lines):
                    s = &self.plan.spread[<int64_t>job * self.plan.lines + c]
                    s.nodes, s.more = <int32_t>spread[k, c, 0], <int32_t>spread[k, c, 1]
                    s.few, s.is_whole = <int32_t>spread[k, c, 2], spread[k, c, 3] > 0
                    s.ram = spread[k, c, 4]
        self.jobs += n
        return np.arange(first, first + n, dtype=np.int32)

    cpdef bint release(self, int32_t job, int64_t at):
        """Let a held job arrive at a time; return False if it is not held."""
        if self.state_[job] != IS_HELD:
            return False
        self.state_[job], self.plan.task[job].submit = IS_PENDING, at
        due_add(&self.arriving, job, at, 0, job)
        return True

    cdef void finish(self, int32_t job) noexcept nogil:
        cdef Task* t = &self.plan.task[job]
        cdef Line* line = &self.plan.line[t.cluster]
        if self.by_queue:
            fair_advance(&self.fair, self.plan.users, t.start + self.runtime[job])
        due_drop(&self.running, job)
        self.state_[job] = IS_ENDED
        self.search.usage[t.user] -= self.rate[job] * (t.estimate - self.runtime[job])
        self.fair.rate[t.user] -= self.rate[job]
        plan_end(&self.plan, job)
        if self.marking and self.plan.by_node:
            nodes_add(&line.nodes, spread_of(&self.plan, line, job), kept_nodes(&self.plan, job),
                      self.plan.words, 1)
        if self.by_queue:
            fair_end(&self.plan, &self.fair, job)
        self.ended[self.over] = job
        self.over += 1

    cdef void arrive(self, int32_t job) noexcept nogil:
        cdef Task* t = &self.plan.task[job]
        due_drop(&self.arriving, job)
        self.state_[job] = IS_WAITING
        self.search.seen += not self.has_come[t.user]
        self.has_come[t.user] = True
        self.search.usage[t.user] += self.rate[job] * t.estimate
        if self.marking:
            marks_add(&self.plan, &self.fair, &self.marks, job)
            return
        if self.by_queue:
            self.fair.queue[self.fair.count] = job
            self.fair.count += 1
            return
        plan_insert(&self.plan, job)
        if self.plan.by_node:
            plan_update(&self.plan, &self.plan.line[t.cluster])
        self.most_planned = max(self.most_planned, self.plan.planned)

    cdef void start_due(self) noexcept nogil:
        # Start all jobs whose planned start is now.
        cdef int32_t c, job
        cdef Line* line
        cdef Task* t
        for c in range(self.plan.lines):
            line = &self.plan.line[c]
            while line.count and self.plan.task[line.order[0]].start == self.plan.now:
                job = line.order[0]
                t = &self.plan.task[job]
                self.state_[job] = IS_RUNNING
                self.search.known_wait[t.user] += t.start - t.submit
                self.fair.rate[t.user] += self.rate[job]
                if self.marking:
                    marks_drop(&self.plan, &self.marks, job)
                elif self.by_queue:
                    fair_leave(&self.fair, job)
                plan_begin(&self.plan, line)
                due_add(
                    &self.running, job, t.start + self.runtime[job], <double>t.start, job
                )
                self.began[self.begun] = job
                self.begun += 1

    cdef int64_t next_time(self) noexcept nogil:
        # Return the time of the next event; INT64_MAX if there is none.
        cdef int64_t time = INT64_MAX
        cdef int32_t c
        if self.running.size:
            time = self.running.entry[0].time
        if self.arriving.size:
            time = min(time, self.arriving.entry[0].time)
        for c in range(self.plan.lines):
            if self.plan.line[c].count:
                time = min(time, self.plan.task[self.plan.line[c].order[0]].start)
        if self.timed and self.may_search and self.plan.planned:
            time = min(time, max(self.searched + self.every, self.plan.now))
        return time

    cdef void search_now(self) noexcept nogil:
        cdef uint64_t state = search_state(self.key, self.search.searches)
        self.searched = self.plan.now
        search_plan(&self.plan, &self.search, &self.hunt, state, self.iterations)
        self.start_due()

    cdef void update(self) noexcept nogil:
        # Update plans of clusters where a job ended before its expected end.
        cdef int32_t c
        for c in range(self.plan.lines):
            if self.plan.line[c].is_stale:
                plan_update(&self.plan, &self.plan.line[c])
                self.updates += 1

    cdef void plan_queue(self) noexcept nogil:
        # Plan waiting jobs in the order of queues, from its first change on.
        cdef int32_t c, first
        if self.marking:
            marks_pass(&self.plan, &self.fair, &self.marks)
            return
        first = fair_sort(&self.plan, &self.fair)
        for c in range(self.plan.lines):
            if self.plan.line[c].is_stale:
                first = 0
        self.updates += first < self.fair.count
        fair_plan(&self.plan, &self.fair, first)
        self.most_planned = max(self.most_planned, self.plan.planned)

    cdef int64_t seen_at(self, int64_t time) noexcept nogil:
        # Return the cycle at which the scheduler handles an event of a given time.
        if self.idle == 0 or time == INT64_MAX:
            return time
        if time <= self.poll:
            return self.poll
        return self.poll + (time - self.poll + self.idle - 1) // self.idle * self.idle

    cdef bint run(self, int64_t until, bint on_end) noexcept nogil:
        # Handle events up to `until`, or until a job has ended; return whether time ran out.
        cdef int32_t over, begun, c
        cdef int64_t now
        cdef bint came
        while True:
            now = self.seen_at(self.next_time())
            if now > until or now == INT64_MAX:
                return True
            self.plan.now, over, begun = now, self.over, self.begun
            while self.running.size and self.running.entry[0].time <= now:
                self.finish(self.running.entry[0].job)
            if self.by_queue:
                fair_advance(&self.fair, self.plan.users, now)
            came = self.arriving.size and self.arriving.entry[0].time <= now
            for c in range(self.plan.lines if self.idle else 0):
                self.plan.line[c].is_stale = True   # a start may have become due
            if not self.by_queue:
                self.update()
            while self.arriving.size and self.arriving.entry[0].time <= now:
                self.arrive(self.arriving.entry[0].job)
            if self.by_queue and (came or self.over > over or self.idle):
                self.plan_queue()
            self.start_due()
            if self.iterations and not self.by_queue and now - self.searched >= self.every:
                if self.may_search:
                    self.search_now()
                if self.search.failed:
                    return False
            if self.fair.failed:
                return False
            if self.begun > begun:
                self.poll = now + self.active
            if on_end and self.over > over:
                return False

    def advance(self, int64_t until, bint on_end):
        """Handle every event up to and including `until`, and set the clock to that time.

        With `on_end` the clock stops at the first instant at which a job has ended.
        """
        with nogil:
            if self.run(until, on_end) and until != INT64_MAX and until > self.plan.now:
                self.plan.now = until
        if self.search.failed:
            raise MemoryError(f"no memory left for more than {self.search.room} moves")
        if self.fair.failed:
            raise MemoryError(f"no memory left for a plan of {self.plan.planned} jobs")

    def next_event(self):
        """Return the time of the next event; None if there is none."""
        time = self.seen_at(self.next_time())
        return None if time == INT64_MAX else time

    def read(self):
        """Return jobs that have started and jobs that have ended since the last read, in order."""
        found = (
            self.copied("began", self.begun_read, self.begun),
            self.copied("ended", self.over_read, self.over),
        )
        self.begun_read, self.over_read = self.begun, self.over
        return found

    def copied(self, str name, int begin, int end):
        """Return some of the numbers (int32) of a column."""
        return self.column[name].view(np.int32)[begin:end].copy()

    def state(self, int32_t job):
        """Return the state of one job."""
        return self.state_[job]

    def start(self, int32_t job):
        """Return a job's planned or real start; -1 if it has not arrived."""
        return self.plan.task[job].start

    def cluster(self, int32_t job):
        """Return the cluster on which a job is planned or ran; -1 if it has not arrived."""
        return self.plan.task[job].cluster

    def order(self, int32_t cluster):
        """Return the planned jobs of a cluster, in order."""
        return self.lines[cluster]["order"].view(np.int32)[: self.plan.line[cluster].count].copy()

    def measure(self):
        """Return mean wait, mean slowdown, unfairness and mean response of the plan, or nan."""
        cdef double sums[4]
        if self.plan.planned == 0:
            return (float("nan"),) * CRITERIA
        measure(&self.plan, &self.search)
        sums_of(&self.search, sums)
        return self.means(sums)

    @property
    def submitted(self):
        """Number of jobs submitted so far."""
        return self.jobs

    @property
    def now(self):
        """The present time in seconds."""
        return self.plan.now

    cdef tuple means(self, const double* sums):
        # Return criteria of a plan from their sums over its jobs.
        cdef double n = self.plan.planned
        return (sums[0] / n, sums[1] / n, sums[2], sums[3] / n)

    def columns(self):
        """Return start, end and cluster of every job; -1 if it has not started or ended."""
        start = np.full(self.jobs, -1, dtype=np.int64)
        end = np.full(self.jobs, -1, dtype=np.int64)
        cluster = np.full(self.jobs, -1, dtype=np.int32)
        cdef int64_t[::1] a = start, b = end
        cdef int32_t[::1] c = cluster
        cdef int32_t job
        for job in range(self.jobs):
            if self.state_[job] >= IS_RUNNING:
                a[job], c[job] = self.plan.task[job].start, self.plan.task[job].cluster
            if self.state_[job] == IS_ENDED:
                b[job] = a[job] + self.runtime[job]
        return start, end, cluster

    def moves(self):
        """Return the accepted moves as a structured array."""
        found = np.empty(self.search.moves, dtype=_MOVES)
        cdef unsigned char[::1] bytes_ = found.view(np.uint8)
        if self.search.moves:
            memcpy(&bytes_[0], self.search.move, self.search.moves * sizeof(Move))
        return found

    def counts(self):
        """Return counts of searches, iterations, evaluated and accepted moves and others."""
        return {
            "searches": self.search.searches,
            "iterations": self.search.iterations,
            "evaluated": self.search.evaluated,
            "accepted": self.search.moves,
            "updates": self.updates,
            "most_planned": self.most_planned,
        }
