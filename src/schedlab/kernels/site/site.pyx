"""A site's Slurm: main scheduler, backfill with a plan of whole nodes, multifactor priority.

Algorithm: at one instant completions, changes of nodes, the periodic calculation of priorities,
arrivals, then the passes that are due. The main pass walks the queue in order; a pair of a job and
a partition that does not fit closes its partition and the nodes of it. A backfill pass plans pair
after pair around those before it, and starts what can start now.

Requests that are equal are one class, with the nodes that could ever serve it as bit words.
`site_nodes.pxd` chooses nodes, `site_plan.pxd` has the plan of a pass, `site_units.pxd` that of
equal processors, `site_order.pxd` priorities and the queue, `site_limits.pxd` counters of limits,
`site_start.pxd` starts and ends, `site_passes.pxd` both schedulers, `site_time.pxd` the instants,
`site_state.pxd` the state.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.heap cimport Event
from schedlab.kernels.common.region cimport arena_free, arena_take, arena_zeros
from schedlab.kernels.site.site_limits cimport blocked_early, first_limit
from schedlab.kernels.site.site_nodes cimport choose, nodes_of, use
from schedlab.kernels.site.site_order cimport fair_tree, recalculate
from schedlab.kernels.site.site_passes cimport begin_pass, goes_on, is_counted, look_at
from schedlab.kernels.site.site_start cimport PLANNED, STARTED, begin_job
from schedlab.kernels.site.site_state cimport FIRST_GRES, KEPT, NEVER, Place, Request, Site
from schedlab.kernels.site.site_time cimport apply_changes, arrive, instant, is_free, next_instant
from schedlab.kernels.site.site_units cimport list_where


cdef class SiteKernel:
    """A site's controller, from the beginning or from a given state.

    Parameters
    ----------
    problem : schedlab.queue.site_problem.SiteProblem
        Site and jobs.
    rules : dict of str to number
        Fields of `Rules` (site_state.pxd).
    phases : tuple of int
        First backfill pass, full main pass and calculation of priorities, in seconds.
    passes : ndarray of int64
        Times of backfill passes in place of periodic ones; empty: periodic.

    Raises
    ------
    MemoryError
        Memory has run out.
    """

    cdef Site s
    cdef list columns

    def __cinit__(self, problem, dict rules, tuple phases, passes):
        memset(&self.s, 0, sizeof(Site))
        self.columns = []

    def __init__(self, problem, dict rules, tuple phases, passes):
        cdef Site* s = &self.s
        s.rules = rules
        s.nodes = len(problem.cpus)
        s.words = (s.nodes + 63) >> 6
        s.kinds = problem.gres.shape[1]
        s.classes, s.partitions = len(problem.numbers), len(problem.members)
        s.jobs, s.pairs = len(problem.submit), len(problem.pair_class)
        s.associations, s.reservations = len(problem.parent), len(problem.reserved_times)
        s.changes = len(problem.change_times)
        s.users = int(problem.user.max(initial=0)) + 1
        s.arrays = int(problem.array.max(initial=-1)) + 1
        s.has_checks = len(problem.checks) > 0
        s.cpus, s.memory = self.ints(problem.cpus), self.ints(problem.memory)
        s.weight, s.gres = self.ints(problem.weight), self.ints(problem.gres)
        if len(problem.leaf):
            s.leaf, s.leaves = self.ints(problem.leaf), int(problem.leaf.max()) + 1
        s.request = <const Request*>self.ints(problem.numbers)
        s.class_gres = self.ints(problem.class_gres)
        s.class_static = self.ints(problem.class_static)
        s.fits, s.members = self.sets(problem.static), self.sets(problem.members)
        s.tier, s.billing = self.ints(problem.tier), self.doubles(problem.billing)
        s.pair_of, s.pair_class = self.ints(problem.pair_of), self.ints(problem.pair_class)
        s.pair_partition = self.ints(problem.pair_partition)
        s.pair_group, s.points = self.ints(problem.pair_group), self.doubles(problem.points)
        s.submit = self.ints(problem.submit)
        s.pair_rank, s.may_preempt = self.ints(problem.pair_rank), self.ints(problem.may_preempt)
        s.rank_level, s.rank_order = self.ints(problem.rank_level), self.ints(problem.rank_order)
        s.rank_mode, s.rank_grace = self.ints(problem.rank_mode), self.ints(problem.rank_grace)
        s.ranks, s.preempts = len(problem.may_preempt), bool(problem.may_preempt.any())
        s.exempt = problem.site.preempt_exempt
        s.holds, s.limit = self.ints(problem.holds), self.ints(problem.limit)
        s.user, s.association = self.ints(problem.user), self.ints(problem.association)
        s.array, s.reservation = self.ints(problem.array), self.ints(problem.reservation)
        s.after_of, s.after = self.ints(problem.after_of), self.ints(problem.after)
        s.check_of, s.checks = self.ints(problem.check_of), self.ints(problem.checks)
        s.addition_of, s.additions = self.ints(problem.addition_of), self.ints(problem.additions)
        s.reserved_times = self.ints(problem.reserved_times)
        s.reserved = self.sets(problem.reserved_nodes)
        s.change_times, s.changed = self.ints(problem.change_times), self.sets(problem.change_nodes)
        s.parent, s.shares = self.ints(problem.parent), self.ints(problem.shares)
        s.is_user = self.ints(problem.is_user)
        s.pass_times, s.passes = self.ints(passes), len(passes)
        self.simplify(problem)
        if self.allocate():
            raise MemoryError(f"no memory left to simulate {s.jobs} jobs on {s.nodes} nodes")
        self.begin(problem)
        s.backfill, s.full, s.calc = 0 if s.passes else phases[0], phases[1], phases[2]

    def __dealloc__(self):
        arena_free(&self.s.arena)

    cdef const int64_t* ints(self, array) except? NULL:
        # Keep a column of integers and return where it is.
        cdef const int64_t[::1] view
        column = array
        if array.ndim != 1 or array.dtype != np.int64 or not array.flags.c_contiguous:
            column = np.ascontiguousarray(array, dtype=np.int64).ravel()
        if not len(column):
            column = np.zeros(1, dtype=np.int64)
        view = column
        self.columns.append(column)
        return &view[0]

    cdef const double* doubles(self, array) except? NULL:
        cdef const double[::1] view
        column = np.ascontiguousarray(array, dtype=np.float64).ravel()
        if not len(column):
            column = np.zeros(1)
        view = column
        self.columns.append(column)
        return &view[0]

    cdef const uint64_t* sets(self, rows) except? NULL:
        # Keep sets of nodes as bit words.
        cdef const uint64_t[::1] view
        padded = np.zeros((max(len(rows), 1), self.s.words * 64), dtype=np.uint8)
        padded[: len(rows), : self.s.nodes] = rows
        words = np.packbits(padded, axis=1, bitorder="little").view(np.uint64).ravel()
        view = words
        self.columns.append(words)
        return &view[0]

    cdef int simplify(self, problem) except -1:
        # Which simpler ways of planning suffice.
        cdef Site* s = &self.s
        nodes, most, cpus, per_task, mode = problem.numbers[:, [1, 2, 3, 4, 6]].T
        s.unit = (
            s.kinds == 0 and not s.leaves and (problem.cpus == 1).all()
            and (problem.weight == problem.weight[0]).all()
            and ((mode == 0) & (per_task == 1) & (nodes == 1) & (most >= cpus)).all()
        )
        s.plain = (
            s.unit and s.partitions == 1 and not s.reservations and not s.changes
            and not s.preempts and not s.has_checks and problem.static.all()
            and problem.members.all() and np.all(problem.up) and s.rules.watched < 0
        )
        s.bare = s.plain and not s.rules.multifactor and not s.rules.keeps_places
        s.tests_all = not s.arrays and not (
            s.rules.bf_max_job_part or s.rules.bf_max_job_user or s.rules.bf_max_job_user_part
            or s.rules.bf_max_job_assoc
        )
        return 0

    cdef int allocate(self) noexcept:
        cdef Site* s = &self.s
        cdef int64_t most = s.jobs, cpus = 0
        cdef int64_t tested = s.rules.bf_max_job_test or s.pairs
        cdef int32_t k
        for k in range(s.nodes):
            cpus += s.cpus[k]
            s.widest = max(s.widest, s.cpus[k])
        most = min(most, cpus)
        s.most_slots = <int32_t>min(2 * min(tested, <int64_t>s.pairs) + 8, <int64_t>1 << 30)
        s.possible = <bint*>arena_zeros(&s.arena, s.classes, sizeof(bint))
        s.turns = 1
        s.class_seen = <int64_t*>arena_zeros(&s.arena, s.classes, sizeof(int64_t))
        s.class_left = <int32_t*>arena_take(&s.arena, s.classes, sizeof(int32_t))
        s.part = <int64_t>s.nodes * (2 + s.kinds) + s.words
        s.live = <int64_t*>arena_zeros(&s.arena, s.part, sizeof(int64_t))
        s.trial = <int64_t*>arena_zeros(&s.arena, s.part, sizeof(int64_t))
        if not s.plain:
            s.kept = <int64_t*>arena_take(
                &s.arena, (most // KEPT + 2) * s.part, sizeof(int64_t)
            )
        s.home = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.group_place = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.group_last = <int64_t*>arena_take(&s.arena, most, sizeof(int64_t))
        s.up = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.every = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.covered = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.usable = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.wide = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.where = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.avail = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.pair_job = <int32_t*>arena_take(&s.arena, s.pairs, sizeof(int32_t))
        s.start = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.ran_in = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.first_place = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.place_count = <int32_t*>arena_zeros(&s.arena, s.jobs, sizeof(int32_t))
        s.eligible = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.until = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.stopped = <bint*>arena_zeros(&s.arena, s.jobs, sizeof(bint))
        s.restarts = <int32_t*>arena_zeros(&s.arena, s.jobs, sizeof(int32_t))
        s.no_more_victims = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.victim = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.extra = <double*>arena_zeros(&s.arena, s.jobs, sizeof(double))
        s.accrue = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.priority = <int64_t*>arena_zeros(&s.arena, s.pairs, sizeof(int64_t))
        s.billed = <double*>arena_zeros(&s.arena, s.jobs, sizeof(double))
        s.ended = <bint*>arena_zeros(&s.arena, s.jobs, sizeof(bint))
        s.entered = <bint*>arena_zeros(&s.arena, s.jobs, sizeof(bint))
        s.fresh_at = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.limited = <bint*>arena_zeros(&s.arena, s.pairs, sizeof(bint))
        s.amounts = <int64_t*>arena_zeros(&s.arena, FIRST_GRES + s.kinds, sizeof(int64_t))
        s.running.entry = <Event*>arena_take(&s.arena, most, sizeof(Event))
        s.by_start = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.by_limit = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.ends = <int64_t*>arena_take(&s.arena, most, sizeof(int64_t))
        s.sets = <uint64_t*>arena_take(&s.arena, most * s.words, sizeof(uint64_t))
        s.slot = <int32_t*>arena_take(&s.arena, s.jobs, sizeof(int32_t))
        s.spare = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.order = <int32_t*>arena_take(&s.arena, s.pairs + s.jobs, sizeof(int32_t))
        s.other = <int32_t*>arena_take(&s.arena, s.pairs + s.jobs, sizeof(int32_t))
        s.leaf_cpus = <int64_t*>arena_zeros(&s.arena, s.leaves, sizeof(int64_t))
        s.leaf_nodes = <int32_t*>arena_zeros(&s.arena, s.leaves, sizeof(int32_t))
        s.by_offer = <int32_t*>arena_zeros(&s.arena, s.widest + 1, sizeof(int32_t))
        s.candidate = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.offer = <int64_t*>arena_take(&s.arena, s.nodes, sizeof(int64_t))
        s.left = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.chosen = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.given = <int64_t*>arena_take(&s.arena, s.nodes, sizeof(int64_t))
        s.slot_begin = <int64_t*>arena_take(&s.arena, s.most_slots, sizeof(int64_t))
        s.slot_end = <int64_t*>arena_take(&s.arena, s.most_slots, sizeof(int64_t))
        s.unreserved = <uint64_t*>arena_take(
            &s.arena, <int64_t>s.most_slots * s.words, sizeof(uint64_t)
        )
        s.room_begin = <int64_t*>arena_take(&s.arena, s.most_slots + 1, sizeof(int64_t))
        s.slot_count = <int32_t*>arena_take(&s.arena, s.most_slots, sizeof(int32_t))
        s.rises = <char*>arena_zeros(&s.arena, s.most_slots, sizeof(char))
        s.freed = <int32_t*>arena_take(&s.arena, most + 1, sizeof(int32_t))
        s.room = <int32_t*>arena_take(&s.arena, s.most_slots, sizeof(int32_t))
        s.seen_user = <int64_t*>arena_zeros(&s.arena, s.users, sizeof(int64_t))
        s.seen_part = <int64_t*>arena_zeros(&s.arena, s.partitions, sizeof(int64_t))
        s.seen_assoc = <int64_t*>arena_zeros(&s.arena, s.associations, sizeof(int64_t))
        s.seen_user_part = <int64_t*>arena_zeros(
            &s.arena, s.users * s.partitions, sizeof(int64_t)
        )
        s.array_count = <int64_t*>arena_zeros(&s.arena, s.arrays, sizeof(int64_t))
        s.array_rejected = <int64_t*>arena_zeros(
            &s.arena, s.arrays * s.partitions, sizeof(int64_t)
        )
        s.planned_in = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.planned_of_part = <int32_t*>arena_zeros(&s.arena, s.partitions, sizeof(int32_t))
        s.class_state = <unsigned char*>arena_zeros(&s.arena, s.classes, 1)
        s.failed = <bint*>arena_zeros(&s.arena, s.partitions, sizeof(bint))
        s.held = <int32_t*>arena_take(&s.arena, s.jobs, sizeof(int32_t))
        s.child = <int32_t*>arena_zeros(&s.arena, s.associations, sizeof(int32_t))
        s.child_of = <int32_t*>arena_zeros(&s.arena, s.associations + 1, sizeof(int32_t))
        s.level = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        s.usage = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        s.factor = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        for k in range(<int32_t>most):
            s.spare[k] = k
        s.spares = <int32_t>most
        return -1 if s.arena.failed else 0

    cdef int begin(self, problem) except -1:
        # The idle machine, with what its classes of requests could have of it.
        cdef Site* s = &self.s
        cdef int32_t k, g, job
        cdef int64_t pair
        s.used = <int64_t*>arena_zeros(&s.arena, problem.counters, sizeof(int64_t))
        if s.arena.failed:
            raise MemoryError("no memory left for the limits")
        cdef const int64_t* up = self.ints(problem.up)
        cdef const int64_t* eligible = self.ints(problem.begin)
        usage = problem.usage
        use(s, s.live)
        for k in range(s.nodes):
            s.free_cpus[k], s.free_memory[k] = s.cpus[k], s.memory[k]
            s.idle[k >> 6] |= <uint64_t>1 << (k & 63)
            s.every[k >> 6] |= <uint64_t>1 << (k & 63)
            if up[k]:
                s.up[k >> 6] |= <uint64_t>1 << (k & 63)
        for g in range(s.nodes * s.kinds):
            s.free_gres[g] = s.gres[g]
        for job in range(s.jobs):
            s.start[job] = s.ran_in[job] = s.fresh_at[job] = s.no_more_victims[job] = -1
            s.eligible[job] = eligible[job]
            for pair in range(s.pair_of[job], s.pair_of[job + 1]):
                s.pair_job[pair] = job
        for k in range(s.classes):
            s.possible[k] = choose(s, k, nodes_of(s, k))
        for k in range(s.associations):
            s.usage[k] = usage[k]
            s.members_count += s.is_user[k] != 0
        children = np.argsort(problem.parent[1:], kind="stable") + 1
        firsts = np.searchsorted(problem.parent[children], np.arange(s.associations + 1))
        for k in range(len(children)):
            s.child[k] = children[k]
        for k in range(s.associations + 1):
            s.child_of[k] = firsts[k]
        fair_tree(s)
        s.next_begin = s.queued = INT64_MAX
        s.last_loop, s.idle_since = -(<int64_t>1 << 40), -1
        s.watched_at = NEVER
        for k in range(s.reservations):
            if s.reserved_times[4 * k + 2] < <int64_t>1 << 62:
                s.last_event = max(s.last_event, s.reserved_times[4 * k + 2])
        for k in range(s.changes):
            s.last_event = max(s.last_event, s.change_times[2 * k])
        if s.passes:
            s.last_event = max(s.last_event, s.pass_times[s.passes - 1])
        return 0

    def advance(self, int64_t instants, int64_t until=INT64_MAX):
        """Simulate up to so many instants before a time; return whether anything may be left."""
        cdef Site* s = &self.s
        cdef int64_t _
        cdef bint is_left = True
        with nogil:
            for _ in range(instants):
                if until < INT64_MAX and next_instant(s) >= until:
                    break
                is_left = instant(s)
                if not is_left or s.arena.failed:
                    break
        if s.arena.failed:
            raise MemoryError(f"no memory left to simulate {s.jobs} jobs on {s.nodes} nodes")
        return is_left

    @property
    def now(self):
        """The last instant."""
        return self.s.now

    @property
    def due(self):
        """When priorities are calculated next."""
        return self.s.calc

    @property
    def next(self):
        """When something happens next."""
        return next_instant(&self.s)

    def waiting(self):
        """Return the jobs that were submitted and have not started, int64, in any order."""
        cdef Site* s = &self.s
        cdef int32_t k, count = 0, job
        jobs = np.empty(s.waits + s.held_count, dtype=np.int64)
        cdef int64_t[::1] into = jobs
        for k in range(s.waits):
            job = s.pair_job[s.order[k]]
            if s.start[job] < 0 and s.order[k] == s.pair_of[job]:
                into[count] = job
                count += 1
        for k in range(s.held_count):
            into[count] = s.held[k]
            count += 1
        return jobs[:count]

    def give(self, const int64_t[::1] jobs, const double[::1] points):
        """Give jobs points, which count from the next calculation of priorities on."""
        cdef int64_t k
        for k in range(len(jobs)):
            self.s.extra[jobs[k]] = points[k]

    def seen(self):
        """Return the number of backfill passes, and the watched job's start in the last, or -1."""
        return self.s.pass_, self.s.watched_at

    def queue(self):
        """Return the waiting pairs in order, int64, and the priority of each, int64."""
        cdef Site* s = &self.s
        cdef int32_t k, count = 0
        rows = np.empty((2, s.waits), dtype=np.int64)
        cdef int64_t[:, ::1] into = rows
        for k in range(s.waits):
            if s.start[s.pair_job[s.order[k]]] < 0:
                into[0, count], into[1, count] = s.order[k], s.priority[s.order[k]]
                count += 1
        return rows[0, :count], rows[1, :count]

    def ages(self, int32_t job):
        """Return the fair-share factor of a job, and since when its priority ages."""
        return self.s.factor[self.s.association[job]], self.s.accrue[job]

    def limit_of(self, int32_t pair):
        """Return the place of the limit that stops a waiting pair, and what is in use; -1: none."""
        cdef Site* s = &self.s
        cdef int64_t place = first_limit(s, pair)
        return place, s.used[s.checks[4 * place]] if place >= 0 else 0

    def starts(self):
        """Return the last start of each job, int64 of shape (n,); -1: not started."""
        return np.asarray(<int64_t[: self.s.jobs]>self.s.start).copy() if self.s.jobs else (
            np.zeros(0, dtype=np.int64)
        )

    def places(self):
        """Return the pair in which each job ran, and its nodes.

        The pair (int64, -1: none), the first row of each job (int64, shape (n,)), their number
        (int64, shape (n,)), and rows of node and processors (int64, shape (…, 2)).
        """
        cdef Site* s = &self.s
        cdef int64_t k, rows = s.places.used // <int64_t>sizeof(Place)
        cdef const Place* place = <Place*>s.places.at
        pair, first = np.full(s.jobs, -1, dtype=np.int64), np.zeros(s.jobs, dtype=np.int64)
        count, table = np.zeros(s.jobs, dtype=np.int64), np.zeros((rows, 2), dtype=np.int64)
        cdef int64_t[::1] pairs = pair, firsts = first, counts = count
        cdef int64_t[:, ::1] to = table
        for k in range(s.jobs):
            pairs[k], firsts[k], counts[k] = s.ran_in[k], s.first_place[k], s.place_count[k]
        for k in range(rows):
            to[k, 0], to[k, 1] = place[k].node, place[k].cpus
        return pair, first, count, table

    def ends(self):
        """Return when the nodes of each job returned, int64, and how often it was requeued."""
        cdef Site* s = &self.s
        cdef int32_t k
        until, count = np.zeros(s.jobs, dtype=np.int64), np.zeros(s.jobs, dtype=np.int64)
        cdef int64_t[::1] ends = until, counts = count
        for k in range(s.jobs):
            ends[k], counts[k] = s.until[k] if s.start[k] >= 0 else -1, s.restarts[k]
        return until, count

    def put(self, int32_t pair, dict where, int64_t start):
        """Let a pair's job run since a time on given processors of nodes."""
        cdef Site* s = &self.s
        cdef int32_t k = 0
        cdef int64_t now = s.now
        for node, cpus in where.items():
            s.chosen[k], s.given[k] = node, cpus
            k += 1
        s.picked, s.now = k, start
        begin_job(s, pair)
        s.now = now

    def resume(self, int64_t now, const int64_t[::1] accrue):
        """Go on from a time at which jobs wait and the given ones run (`put`).

        Jobs that were submitted until then are in the queue, and age since `accrue`; the others
        come later. Priorities are calculated at this time and then after each period.
        """
        cdef Site* s = &self.s
        cdef int32_t job
        s.now = s.last = now
        apply_changes(s, now)
        while s.arrived < s.jobs and s.submit[s.arrived] <= now:
            job = s.arrived
            s.arrived += 1
            if s.start[job] >= 0 or s.pair_of[job] == s.pair_of[job + 1]:
                continue
            if s.eligible[job] <= now and is_free(s, job):
                arrive(s, job)
                s.accrue[job], s.fresh_at[job] = accrue[job], now - 1
                continue
            if s.eligible[job] > now:
                s.next_begin = min(s.next_begin, s.eligible[job])
            s.held[s.held_count] = job
            s.held_count += 1
        s.fresh = 0
        recalculate(s)
        s.calc = now + s.rules.calc_period

    def change(self, int64_t now):
        """Apply the changes of nodes up to a time."""
        cdef Site* s = &self.s
        apply_changes(s, now)

    def backfill_pass(self, int64_t now, list pairs, list nows=None):
        """Make one backfill pass over given pairs, each at its own time if `nows` are given.

        Return a list of pair, "start", "plan" or "" (neither), start, and a frozenset of nodes.
        """
        cdef Site* s = &self.s
        cdef int64_t start
        cdef int32_t pair, place, k
        cdef int what
        s.now = now
        begin_pass(s)
        decisions = []
        for place in range(len(pairs)):
            pair = pairs[place]
            if nows is not None:
                s.now = nows[place]
            if s.start[s.pair_job[pair]] >= 0 or blocked_early(s, pair):
                continue
            if not is_counted(s, pair, s.pass_) or not goes_on(s, pair):
                continue
            what = look_at(s, pair, &start)
            if s.plain and what == PLANNED:
                list_where(s, True)
            nodes = frozenset([s.chosen[k] for k in range(s.picked)]) if what else frozenset()
            kind = "start" if what == STARTED else "plan" if what == PLANNED else ""
            decisions.append((pair, kind, start if what == PLANNED else s.now, nodes))
        return decisions
