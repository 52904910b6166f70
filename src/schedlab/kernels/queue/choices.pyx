"""Queues in which a learner or a policy chooses one waiting job at a time; see choices.pxd.

An observation is written into the arrays of the caller: a row of inputs for each job that is
seen, whether each can be chosen, and the state of the machine. A row is copied from a table by job,
except for the inputs that change with time.
"""

import numpy as np

from libc.math cimport log
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.common.expression cimport Program
from schedlab.kernels.common.splitmix cimport draw
from schedlab.kernels.queue.choices cimport (
    OPEN,
    ORDER,
    RESERVED,
    Episode,
    Rule,
    Work,
    can_decline,
    choose,
    episode_begin,
    episode_free,
    go_on,
    is_allowed,
    shown,
)
from schedlab.kernels.queue.network cimport LAYERS, WIDEST, Network, logits
from schedlab.kernels.queue.orders cimport Order, before, score_jobs

#: numbers that describe the machine: the shares of processors that are free, and that the
#: reservation leaves over; whether there is a reservation; the time until it, as t / (t + 1 h);
#: waiting jobs, as q / (q + seen); the share of the episode's jobs that have arrived
MACHINE = ("free", "extra", "reserved", "shadow", "waiting", "arrived")
#: inputs that change with time, in the order of `moving`
MOVING = ("wait", "fits", "stretch")
#: most jobs that a learner sees; most layers of a network, and inputs or outputs of each
MOST_SEEN, MOST_LAYERS, MOST_WIDE = 128, LAYERS, WIDEST

cdef enum:
    NOTHING_KEPT = -2

cdef double DAY_HALF = 43200            # the wait that counts as 1 (RLScheduler, SC'20)
cdef double CAP = 1 - 1e-5


cdef struct Inputs:
    int32_t size                        # of a row
    const float* table                  # the rows, by job
    int32_t wait, fits, stretch         # their places in a row, or -1


cdef inline void write_rows(
    const Episode* e, const Work* work, const Inputs* inputs, float* rows, int32_t first,
    int32_t count
) noexcept nogil:
    # The rows of the jobs that are seen, from a place on.
    cdef int32_t at, job
    cdef const int32_t* jobs = &e.line[0].job[e.line[0].first]
    cdef double wait
    cdef float* row = rows + first * inputs.size
    for at in range(first, count):
        job = jobs[at]
        memcpy(row, &inputs.table[<int64_t>job * inputs.size], inputs.size * sizeof(float))
        if inputs.wait >= 0:
            wait = <double>(e.now - work.submit[job]) / DAY_HALF
            row[inputs.wait] = <float>min(wait, CAP)
        if inputs.stretch >= 0:
            wait = max(<double>work.estimate[job], 1)
            row[inputs.stretch] = <float>(wait / (wait + (e.now - work.submit[job])))
        row += inputs.size
    if inputs.fits >= 0:
        write_fits(e, inputs, rows, count)


cdef inline void write_fits(
    const Episode* e, const Inputs* inputs, float* rows, int32_t count
) noexcept nogil:
    cdef int32_t at, free_procs = e.free_procs
    cdef const int32_t* need = &e.line[0].need[e.line[0].first]
    cdef float* row = rows + inputs.fits
    for at in range(count):
        row[at * inputs.size] = <float>(CAP if need[at] <= free_procs else 1 - CAP)


cdef inline void write_machine(const Episode* e, const Work* work, float* number) noexcept nogil:
    cdef double length = e.shadow - e.now, waiting = e.line[0].end - e.line[0].first
    cdef bint reserved = e.phase == RESERVED
    number[0] = <float>(<double>e.free_procs / work.processors)
    number[1] = <float>(<double>e.extra / work.processors) if reserved else 0
    number[2] = reserved
    number[3] = <float>(length / (length + 3600)) if reserved and length > 0 else 0
    number[4] = <float>(waiting / (waiting + work.seen))
    number[5] = <float>(<double>(e.arrived - e.first) / (e.end - e.first))


cdef int set_work(
    Work* work, const int64_t[::1] submit, const int64_t[::1] runtime, const int64_t[::1] estimate,
    const int64_t[::1] procs, int32_t processors, int32_t seen, int rule, bint overtaking,
    bint lifo, const double[:, ::1] scores
) except -1:
    # `scores` are of the jobs in the chooser's order, and zeros.
    cdef int k
    memset(work, 0, sizeof(Work))
    if submit.shape[0] == 0:
        raise ValueError("there is no job")
    if submit.shape[0] >= 1 << ORDER:
        raise ValueError(f"there are {submit.shape[0]} jobs, must be fewer than {1 << ORDER}")
    work.submit, work.runtime, work.estimate = &submit[0], &runtime[0], &estimate[0]
    work.procs, work.processors, work.seen = &procs[0], processors, seen
    work.rule, work.overtaking = <Rule>rule, overtaking
    for k in range(2):
        work.order[k].submit, work.order[k].estimate = work.submit, work.estimate
        work.order[k].score = <double*>&scores[k, 0]
    work.order[0].lifo = lifo
    return 0


cdef class Episodes:
    """A batch of episodes on one log.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission.
    processors : int
        Size of the machine.
    rule : int
        0 strict order, 1 EASY, 2 commitment; see choices.pxd.
    lifo : bool
        In the order in which jobs are seen, the last of equal jobs comes first.
    scores : ndarray of float64, shape (2, n)
        In the first row the scores of this order, smaller first; zeros in the second.
    costs : ndarray of float64, shape (3, n)
        Slope, offset and least cost of each job: its start costs ``max(slope * wait + offset,
        least)``.
    table : ndarray of float32, shape (n, f)
        Inputs of each job.
    moving : sequence of int
        Places of the inputs `MOVING` in a row of f, or -1.
    rows : ndarray of float32, shape (b, k, f)
        Out: inputs of the first k waiting jobs of each episode, zeros behind.
    allowed : ndarray of uint8, shape (b, k + 1)
        Out: whether each can be chosen, and at last whether none can.
    machine : ndarray of float32, shape (b, 6)
        Out: the numbers `MACHINE`.
    reward : ndarray of float64, shape (b,)
        Out: minus the costs since the decision before.
    over : ndarray of uint8, shape (b,)
        Out: whether the last job has started.
    """

    cdef Work work
    cdef Inputs inputs
    cdef Episode* episode
    cdef int32_t* filled                # rows of the last observation
    cdef int32_t count
    cdef float[:, :, ::1] rows
    cdef uint8_t[:, ::1] allowed
    cdef float[:, ::1] machine
    cdef double[::1] reward
    cdef uint8_t[::1] over
    cdef object kept

    def __cinit__(
        self, const int64_t[::1] submit, const int64_t[::1] runtime, const int64_t[::1] estimate,
        const int64_t[::1] procs, int32_t processors, int rule, bint lifo,
        const double[:, ::1] scores, const double[:, ::1] costs, const float[:, ::1] table,
        moving, float[:, :, ::1] rows, uint8_t[:, ::1] allowed, float[:, ::1] machine,
        double[::1] reward, uint8_t[::1] over
    ):
        set_work(
            &self.work, submit, runtime, estimate, procs, processors, <int32_t>rows.shape[1], rule,
            True, lifo, scores
        )
        self.work.slope, self.work.offset, self.work.least = (
            &costs[0, 0], &costs[1, 0], &costs[2, 0]
        )
        self.inputs.size = <int32_t>table.shape[1]
        self.inputs.table = &table[0, 0]
        self.inputs.wait, self.inputs.fits, self.inputs.stretch = moving
        self.kept = (submit, runtime, estimate, procs, scores, costs, table)
        self.rows, self.allowed, self.machine = rows, allowed, machine
        self.reward, self.over = reward, over
        self.count = <int32_t>rows.shape[0]
        self.episode = <Episode*>calloc(self.count + 1, sizeof(Episode))
        self.filled = <int32_t*>calloc(self.count + 1, sizeof(int32_t))
        if self.episode == NULL or self.filled == NULL:
            raise MemoryError(f"no memory left for {self.count} episodes")

    def __dealloc__(self):
        cdef int32_t k
        if self.episode != NULL:
            for k in range(self.count):
                episode_free(&self.episode[k])
        free(self.episode)
        free(self.filled)

    cdef void observe(self, int32_t place, int32_t gone) noexcept nogil:
        # `gone` is the place of the job that has started since the last observation, if nothing
        # else has happened; -1 if nothing has, NOTHING_KEPT if more has. With 128 jobs that are
        # seen, decisions take 1.3 to 1.5 times as long if each row is written every time.
        cdef Episode* e = &self.episode[place]
        cdef int32_t count = shown(e, &self.work), at, size = self.inputs.size, first = 0
        cdef int32_t filled = self.filled[place]
        cdef uint8_t* allowed = &self.allowed[place, 0]
        cdef float* rows = &self.rows[place, 0, 0]
        if gone >= 0:
            first = filled - 1
            memmove(
                &rows[gone * size], &rows[(gone + 1) * size], (first - gone) * size * sizeof(float)
            )
        if gone != -1:
            write_rows(e, &self.work, &self.inputs, rows, first, count)
        if count < filled:
            memset(&rows[count * size], 0, (filled - count) * size * sizeof(float))
            memset(&allowed[count], 0, filled - count)
        if e.phase == OPEN:
            memset(allowed, 1, count)
        else:
            for at in range(count):
                allowed[at] = is_allowed(e, &self.work, at)
        allowed[self.work.seen] = can_decline(e)
        self.filled[place] = count
        write_machine(e, &self.work, &self.machine[place, 0])

    def begin(self, int32_t place, int32_t first, int32_t end):
        """Begin the episode of the jobs from `first` to before `end`, and observe it."""
        cdef Episode* e = &self.episode[place]
        cdef int failed
        with nogil:
            failed = episode_begin(e, &self.work, first, end) or go_on(e, &self.work) < 0
            if not failed:
                self.observe(place, NOTHING_KEPT)
        if failed:
            raise MemoryError(f"no memory left for an episode of {end - first} jobs")

    def find_faulty(self, const int64_t[::1] actions):
        """Return the first episode whose action cannot be taken, or -1."""
        # not by `allowed`, which is the caller's memory
        cdef int32_t place
        cdef int64_t action
        cdef Episode* e
        for place in range(self.count):
            action, e = actions[place], &self.episode[place]
            if action == self.work.seen and can_decline(e):
                continue
            if action < 0 or action >= shown(e, &self.work) or not is_allowed(
                e, &self.work, <int32_t>action
            ):
                return place
        return -1

    def step(self, const int64_t[::1] actions, int32_t first, int32_t last):
        """Take the actions of some episodes, which can be taken, and observe.

        An action is a place among the jobs that are seen; k chooses none. An episode that is over
        is not observed: it has no decision.

        Returns
        -------
        int
            Number of episodes that are over.
        """
        cdef int32_t place, over = 0, instants, started, gone
        cdef int going = 0
        cdef Episode* e
        with nogil:
            for place in range(first, last):
                e = &self.episode[place]
                instants, started = e.instants, e.started
                if choose(e, &self.work, <int32_t>actions[place]):
                    going = -1
                    break
                going = go_on(e, &self.work)
                if going < 0:
                    break
                self.reward[place], e.cost = -e.cost, 0
                self.over[place] = not going
                over += not going
                if going:
                    gone = <int32_t>actions[place] if e.started > started else -1
                    self.observe(place, gone if e.instants == instants else NOTHING_KEPT)
        if going < 0:
            raise MemoryError("no memory left to go on")
        return over

    def starts(self, int32_t place):
        """Return the starts of an episode's jobs, int64 of shape (n,); -1 if it has not started."""
        cdef Episode* e = &self.episode[place]
        cdef int32_t k
        start = np.empty(e.end - e.first, dtype=np.int64)
        cdef int64_t[::1] a = start
        for k in range(e.end - e.first):
            a[k] = e.start[k]
        return start

    def waiting(self, int32_t place):
        """Return the places in the log of the jobs that are seen, int32 of shape (w,)."""
        cdef Episode* e = &self.episode[place]
        cdef int32_t k
        jobs = np.empty(shown(e, &self.work), dtype=np.int32)
        cdef int32_t[::1] a = jobs
        for k in range(a.shape[0]):
            a[k] = e.line[0].job[e.line[0].first + k]
        return jobs

    def now(self, int32_t place):
        """Return the time of an episode's decision, in the seconds of the log."""
        return self.episode[place].now


cdef struct Chooser:                    # how a whole run chooses
    const Program* program              # scores all waiting jobs at each decision; or NULL
    const Network* network              # scores the jobs that are seen; or NULL
    Inputs inputs
    Order order                         # of scores as of now
    bint samples                        # the network's logits are of a distribution
    uint64_t state                      # of its random numbers
    float* rows
    float* score
    int32_t faulty                      # a job whose score has no order, or -1


cdef inline double noise(uint64_t* state) noexcept nogil:
    # A number of the standard Gumbel distribution: the largest sum of a logit and such a number is
    # that of a job drawn from the softmax.
    cdef double uniform = (<double>(draw(state) >> 11) + 0.5) * (1.0 / 9007199254740992.0)
    return -log(-log(uniform))


cdef int32_t pick(Episode* e, const Work* work, Chooser* chooser) noexcept nogil:
    # The place of the best job that can be chosen.
    cdef int32_t count = shown(e, work), at, best = -1
    cdef const int32_t* job = &e.line[0].job[e.line[0].first]
    cdef double score, most = 0
    if chooser.network != NULL:
        write_rows(e, work, &chooser.inputs, chooser.rows, 0, count)
        logits(chooser.network, chooser.rows, count, chooser.score)
        for at in range(count):
            score = chooser.score[at]
            if chooser.samples:
                score += noise(&chooser.state)
            if is_allowed(e, work, at) and (best < 0 or score > most):
                best, most = at, score
        return best
    if chooser.program != NULL:
        chooser.faulty = score_jobs(
            &chooser.order, chooser.program, job, &e.line[0].need[e.line[0].first], count, e.now
        )
        if chooser.faulty >= 0:
            return 0
    for at in range(count):
        if is_allowed(e, work, at):
            if chooser.program == NULL:
                return at
            if best < 0 or before(&chooser.order, job[at], job[best]):
                best = at
    return best


cdef int simulate(Episode* e, const Work* work, Chooser* chooser, int32_t n) noexcept nogil:
    cdef int going
    if episode_begin(e, work, 0, n):
        return -1
    going = go_on(e, work)
    while going > 0:
        if choose(e, work, pick(e, work, chooser)) or chooser.faulty >= 0:
            return -(chooser.faulty < 0)
        going = go_on(e, work)
    return going


def run_choices(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    int32_t processors,
    int rule,
    bint overtaking,
    bint lifo,
    scores,
    program,
    network,
    const float[:, ::1] table,
    moving,
    int32_t seen,
    seed,
):
    """Start times of n jobs; the caller (`schedlab.queue.choices`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs, processors, rule, lifo, scores, table, moving
        As for `Episodes`; without a network the table is not read.
    overtaking : bool
        Whether others start before a committed job.
    program : tuple of ndarray, or None
        Instructions and constants of a policy that scores all waiting jobs at each decision.
    network : list of tuple of ndarray, or None
        Of each layer the kernel (n_in, n_out) and the bias (n_out,), float32. The largest number
        runs first, of the first `seen` waiting jobs in the order of `scores`.
    seen : int
        Without a network, all waiting jobs are seen.
    seed : int or None
        The network's choice is drawn from its softmax.

    Returns
    -------
    start : ndarray of int64, shape (n,)
    faulty, wait : int
        A job whose score has no order, and its wait; or -1.
    """
    cdef int32_t n = <int32_t>submit.shape[0], k
    cdef Work work
    cdef Episode e
    cdef Chooser chooser
    cdef Program compiled
    cdef Network layers
    cdef const int32_t[::1] op
    cdef const double[::1] constant
    cdef const float[:, ::1] kernel
    cdef const float[::1] bias
    cdef int failed
    cdef double[::1] dynamic
    cdef float[:, ::1] rows
    cdef float[::1] score
    start = np.full(n, -1, dtype=np.int64)
    cdef int64_t[::1] out = start
    if n == 0:
        return start, -1, 0
    memset(&e, 0, sizeof(Episode))
    memset(&chooser, 0, sizeof(Chooser))
    chooser.faulty = -1
    set_work(
        &work, submit, runtime, estimate, procs, processors, seen if network else INT32_MAX, rule,
        overtaking, lifo, scores
    )
    if program is not None:
        op, constant = program
        compiled.op, compiled.constant, compiled.length = &op[0], &constant[0], len(program[0])
        chooser.program, chooser.order = &compiled, work.order[0]
        dynamic = np.zeros(n)
        chooser.order.score = &dynamic[0]
    if network is not None:
        layers.layers = <int32_t>len(network)
        for k in range(layers.layers):
            kernel, bias = network[k]
            layers.kernel[k], layers.bias[k] = &kernel[0, 0], &bias[0]
            layers.size[k], layers.size[k + 1] = kernel.shape[0], kernel.shape[1]
        chooser.network = &layers
        chooser.inputs.size, chooser.inputs.table = <int32_t>table.shape[1], &table[0, 0]
        chooser.inputs.wait, chooser.inputs.fits, chooser.inputs.stretch = moving
        rows, score = np.empty((seen, table.shape[1]), np.float32), np.empty(seen, np.float32)
        chooser.rows, chooser.score = &rows[0, 0], &score[0]
        chooser.samples, chooser.state = seed is not None, seed or 0
    with nogil:
        failed = simulate(&e, &work, &chooser, n)
        if not failed:
            for k in range(n):
                out[k] = e.start[k]
    now = e.now
    episode_free(&e)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    if chooser.faulty >= 0:
        return start, chooser.faulty, now - submit[chooser.faulty]
    return start, -1, 0
