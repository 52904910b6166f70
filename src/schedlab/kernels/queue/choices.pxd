# A queue in which each decision is a choice of one waiting job, or of none. Twin:
# tests/twins/choices.py.
#
# A chooser sees the first `seen` waiting jobs in a static order. After all completions and arrivals
# of an instant it chooses as long as one of these can start. A job that fits starts. By the rule,
# another job
# - STRICT: ends the choices of this instant;
# - EASY: has the reservation of this instant. From then on only jobs can be chosen that fit and do
#   not delay it, as in `backfilling`;
# - COMMIT (RLScheduler, SC'20): is started before any other choice. Its reservation is found once.
#   Until it fits, others start first come first served if they fit and end before it; with
#   `overtaking` off, none does. Events are taken one by one, and only while no job waits or the
#   committed job does not fit. Of events of one instant, an arrival comes before a completion, and
#   the completion of the job that started first before others.
# To choose always the first job of an order gives the schedule of that order from `whole` and
# `stepped`.
#
# Invariant: the waiting jobs of line 0 are contiguous (no entry of a job that has started), so the
# first `seen` are found in no time. A start costs O(seen) moves there, also with 100,000 waiting
# jobs. Line 1 holds the waiting jobs first come first served, for COMMIT.

from libc.stdint cimport INT32_MAX, int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from schedlab.kernels.common.fit_scan cimport LANES, fitting
from schedlab.kernels.common.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.orders cimport Order
from schedlab.kernels.queue.releases cimport (
    Releases,
    releases_add,
    releases_clear,
    releases_drop,
    releases_free,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.queue.waiting_line cimport Line, line_add, line_at, line_drop, line_free

cdef enum:
    ORDER = 26                          # bits of the number of a start, below the end of a job

cdef enum Rule:
    STRICT, EASY, COMMIT

cdef enum Phase:
    CLOSED, OPEN, RESERVED              # RESERVED: a job has the reservation of this instant


cdef struct Work:                       # a log and the rule, for any number of episodes
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    int32_t processors
    int32_t seen
    Rule rule
    bint overtaking                     # with COMMIT
    Order order[2]                      # in which the chooser sees jobs; first come first served
    const double* slope                 # what the start of a job costs by its wait:
    const double* offset                # max(slope * wait + offset, least)
    const double* least


cdef struct Episode:
    int32_t first, end                  # jobs of the log
    int32_t arrived                     # the next one
    int32_t started                     # how many
    int32_t instants                    # how often something has happened
    int32_t free_procs
    Phase phase
    int64_t now
    int64_t shadow, extra               # of the reservation
    int32_t reserved                    # its job
    double cost                         # of jobs started since it was read
    int64_t* start                      # by job from `first` on
    int32_t room                        # of `start` and the heap
    Heap running                        # by end, then by start: `end << ORDER | starts before`
    Releases releases
    Line line[2]


cdef inline void episode_free(Episode* e) noexcept nogil:
    free(e.start)
    free(e.running.entry)
    releases_free(&e.releases)
    line_free(&e.line[0])
    line_free(&e.line[1])


cdef inline int episode_begin(
    Episode* e, const Work* work, int32_t first, int32_t end
) noexcept nogil:
    # Begin with an empty machine. -1 if memory runs out.
    cdef int k
    cdef int32_t room = end - first
    if room > e.room:
        if (
            resize(<void**>&e.start, room, sizeof(int64_t))
            or resize(<void**>&e.running.entry, min(room, work.processors), sizeof(Event))
        ):
            return -1
        e.room = room
    if work.rule != STRICT and e.releases.pooled == 0 and releases_grow(&e.releases, 16):
        return -1
    e.first, e.end, e.arrived, e.started, e.instants = first, end, first, 0, 0
    e.free_procs, e.phase, e.now, e.cost = work.processors, CLOSED, work.submit[first], 0
    e.running.size = 0
    releases_clear(&e.releases)
    for k in range(2):
        e.line[k].first = e.line[k].end = e.line[k].dropped = 0
    memset(e.start, 0xFF, room * sizeof(int64_t))
    return 0


cdef inline int32_t shown(const Episode* e, const Work* work) noexcept nogil:
    # How many waiting jobs the chooser sees.
    return min(e.line[0].end - e.line[0].first, work.seen)


cdef inline int32_t slack(const Episode* e) noexcept nogil:
    # Seconds that a job may run which delays no reservation.
    return INT32_MAX if e.phase != RESERVED else <int32_t>min(e.shadow - e.now, INT32_MAX)


cdef inline int32_t spare(const Episode* e) noexcept nogil:
    # Processors of jobs that may run longer.
    return INT32_MAX if e.phase != RESERVED else <int32_t>e.extra


cdef inline bint is_allowed(const Episode* e, const Work* work, int32_t at) noexcept nogil:
    # Whether the job at a place of what the chooser sees can be chosen.
    cdef const Line* line = &e.line[0]
    if e.phase == OPEN:
        return True
    at += line.first
    return line.need[at] <= e.free_procs and (
        line.length[at] <= slack(e) or line.need[at] <= e.extra
    )


cdef inline bint can_decline(const Episode* e) noexcept nogil:
    # Whether no job may be chosen: something must happen later.
    return e.running.size or e.arrived < e.end


cdef inline bint is_open(const Episode* e, const Work* work) noexcept nogil:
    # Whether there is a decision now.
    cdef const Line* line = &e.line[0]
    cdef int32_t last = line.first + shown(e, work)
    if e.phase == CLOSED or line.first == last:
        return False
    if work.rule == COMMIT:
        return True
    return e.free_procs > 0 and fitting(
        line.need, line.length, line.first, last, e.free_procs, slack(e), spare(e), LANES
    ) < last


cdef inline int64_t next_end(const Episode* e) noexcept nogil:
    return e.running.entry[0].time >> ORDER


cdef inline int arrive(Episode* e, const Work* work) noexcept nogil:
    # Let the next job wait. -1 if memory runs out.
    cdef int32_t job = e.arrived, need = <int32_t>work.procs[job]
    cdef int32_t length = <int32_t>work.estimate[job]
    e.arrived += 1
    if line_add(&e.line[0], &work.order[0], job, need, length):
        return -1
    return work.rule == COMMIT and line_add(&e.line[1], &work.order[1], job, need, length)


cdef inline void complete(Episode* e, const Work* work) noexcept nogil:
    # End the first running job.
    cdef int32_t job = heap_pop(&e.running)
    e.free_procs += <int32_t>work.procs[job]
    if work.rule != STRICT:
        releases_drop(
            &e.releases, e.start[job - e.first] + work.estimate[job], work.procs[job]
        )


cdef inline int happen(Episode* e, const Work* work) noexcept nogil:
    # Take the events of the next instant, or with COMMIT the next event. Return whether there is
    # one; -1 if memory runs out.
    cdef bint ends = e.running.size > 0
    if not ends and e.arrived == e.end:
        return 0
    e.instants += 1
    if work.rule == COMMIT:
        if e.arrived < e.end and (
            not ends or work.submit[e.arrived] <= next_end(e)
        ):
            e.now = max(e.now, work.submit[e.arrived])
            return -1 if arrive(e, work) else 1
        e.now = max(e.now, next_end(e))
        complete(e, work)
        return 1
    ends = ends and (e.arrived == e.end or next_end(e) <= work.submit[e.arrived])
    e.now = next_end(e) if ends else work.submit[e.arrived]
    while e.running.size and next_end(e) == e.now:
        complete(e, work)
    while e.arrived < e.end and work.submit[e.arrived] == e.now:
        if arrive(e, work):
            return -1
    return 1


cdef inline void leave(Episode* e, const Work* work, int k, int32_t at) noexcept nogil:
    # Remove the job at a place of a line: the shorter side closes the gap.
    cdef Line* line = &e.line[k]
    cdef int32_t later
    if k:
        line_drop(line, at)
    elif at - line.first <= line.end - at:
        later = (at - line.first) * sizeof(int32_t)
        memmove(&line.job[line.first + 1], &line.job[line.first], later)
        memmove(&line.need[line.first + 1], &line.need[line.first], later)
        memmove(&line.length[line.first + 1], &line.length[line.first], later)
        line.first += 1
    else:
        line.end -= 1
        later = (line.end - at) * sizeof(int32_t)
        memmove(&line.job[at], &line.job[at + 1], later)
        memmove(&line.need[at], &line.need[at + 1], later)
        memmove(&line.length[at], &line.length[at + 1], later)
    if line.first == line.end:
        line.first = line.end = 0


cdef inline int start_job(Episode* e, const Work* work, int k, int32_t at) noexcept nogil:
    # Start the job at a place of a line. -1 if memory runs out.
    cdef int32_t job = e.line[k].job[at], need = e.line[k].need[at]
    cdef int64_t wait = e.now - work.submit[job]
    leave(e, work, k, at)
    if work.rule == COMMIT:
        leave(e, work, 1 - k, line_at(&e.line[1 - k], &work.order[1 - k], job))
    e.start[job - e.first] = e.now
    e.started += 1
    e.free_procs -= need
    if work.slope != NULL:
        e.cost += max(work.slope[job] * wait + work.offset[job], work.least[job])
    heap_push(&e.running, (e.now + work.runtime[job]) << ORDER | e.started, job)
    if work.rule == STRICT:
        return 0
    return releases_add(&e.releases, e.now + work.estimate[job], need)


cdef inline int commit(Episode* e, const Work* work, int32_t job) noexcept nogil:
    # Start a job that does not fit as soon as it does, and others before. -1 if memory runs out.
    cdef Line* line = &e.line[1]
    cdef int32_t need = <int32_t>work.procs[job], at
    cdef int64_t shadow = releases_shadow(&e.releases, e.free_procs, need, &e.extra)
    while True:
        at = line.first
        # a job must end before the reservation
        while work.overtaking and e.free_procs > 0 and e.now < shadow:
            at = fitting(
                line.need, line.length, at, line.end, e.free_procs,
                <int32_t>min(shadow - e.now - 1, INT32_MAX), 0, LANES
            )
            if at >= line.end:
                break
            if start_job(e, work, 1, at):
                return -1
            at = max(at + 1, line.first)
        if happen(e, work) < 0:
            return -1
        if need <= e.free_procs:
            return start_job(e, work, 0, line_at(&e.line[0], &work.order[0], job))


cdef inline int choose(Episode* e, const Work* work, int32_t at) noexcept nogil:
    # Choose the job at a place of what the chooser sees, or at `seen` none. -1 if memory runs out.
    cdef Line* line = &e.line[0]
    cdef int32_t job, need
    cdef int64_t length
    if at == work.seen:
        e.phase = CLOSED
        return 0
    at += line.first
    job, need, length = line.job[at], line.need[at], line.length[at]
    if need <= e.free_procs:
        if e.phase == RESERVED and length > e.shadow - e.now:
            e.extra -= need
        return start_job(e, work, 0, at)
    if work.rule == STRICT:
        e.phase = CLOSED
    elif work.rule == EASY:
        e.shadow = releases_shadow(&e.releases, e.free_procs, need, &e.extra)
        e.phase, e.reserved = RESERVED, job
    else:
        return commit(e, work, job)
    return 0


cdef inline int go_on(Episode* e, const Work* work) noexcept nogil:
    # Go on to the next decision. Return whether there is one; -1 if memory runs out.
    cdef int happened
    while not is_open(e, work):
        happened = happen(e, work)
        if happened <= 0:
            return happened
        e.phase = OPEN
    return 1
