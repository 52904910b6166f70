# The rule of backfilling: which waiting jobs start now. Twin: tests/twins/backfilling.py.
#
# One pass looks at the waiting jobs in the primary order. A job that fits, and moves no reservation
# made in this pass, starts. The first `depth` jobs that do not get a reservation each, at the
# earliest time at which running jobs and earlier reservations leave enough processors, by estimates
# or predictions. Where running jobs have outlived these, the plan begins at the first of their
# estimated ends instead of now. Behind the last reservation, the others are looked at in the order
# of backfilling.
#
# Depths: NO_BACKFILLING (strict order: nothing overtakes the first job that does not fit), 0 (first
# fit without reservations), 1 (EASY), k. A reservation of every job that lasts from pass to pass is
# conservative backfilling, in `planned`. While one of the `strict` first jobs is the head, nothing
# overtakes it. Processors may be closed for a time: what is announced is a reservation, what has
# begun is like a running job. Jobs that waited longer than `threshold` precede all others in the
# primary order.
#
# Invariant: between events no waiting job may start. With a depth of at most 1, two numbers replace
# the plan: `slack`, the seconds until the head's reservation, and `extra`, the processors that it
# leaves over. An arrival alone leaves free processors, reservation and extra processors unchanged,
# and time only tightens the test. So only the new jobs are examined, unless one of them is the new
# head, the order depends on time, or a job begins to starve.
#
# Cost: O(log n) per arrival, start and completion plus the searches and moves in lines of waiting
# jobs; with a depth above 1 also O(running jobs + waiting jobs) per event.

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free

from schedlab.kernels.common.fit_scan cimport fitting
from schedlab.kernels.common.heap cimport Heap, heap_push
from schedlab.kernels.queue.driven cimport Closure
from schedlab.kernels.queue.gaps cimport (
    Gaps,
    gaps_earliest,
    gaps_fit_now,
    gaps_free,
    gaps_make,
    gaps_take,
    gaps_take_now,
)
from schedlab.kernels.queue.orders cimport Order, before
from schedlab.kernels.queue.releases cimport (
    Releases,
    releases_add,
    releases_free,
    releases_shadow,
)
from schedlab.kernels.queue.waiting_line cimport (
    Line,
    line_add,
    line_at,
    line_compact,
    line_drop,
    line_free,
    line_sort,
)

cdef enum:
    NO_BACKFILLING = -1
    NO_JOB = -1
    UNKNOWN = -2                        # as a head: it may be another one


cdef struct Queue:
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    int64_t* start                      # out
    int64_t* expected                   # when a running job ends by prediction; NULL: by estimate
    char* early                         # jobs that precede all others, or NULL
    int32_t* came                       # jobs in order of arrival, for the threshold
    int32_t* began                      # jobs that started, in order
    int32_t begun
    int32_t begun_first                 # the first of them that overtook the head
    int64_t now
    int32_t free_procs
    int32_t depth
    int32_t strict
    int64_t threshold
    int32_t aged, arrived               # jobs of `came` that are early or over, and all of them
    bint moves                          # one of the orders depends on time
    bint same                           # there is one order
    Order order[2]                      # the primary one, and that of backfilling
    Line line[2]
    int32_t head                        # of the last pass: the first job that did not fit
    int64_t shadow                      # when its reservation begins,
    int64_t extra                       # and processors that it leaves over
    const Closure* closed               # processors that no job may have for a time
    int32_t closures
    Gaps gaps                           # with a depth above 1, or closures
    int lanes                           # jobs in a step of a search
    Heap running                        # by end
    Releases releases                   # by estimated or predicted end


cdef inline void queue_free(Queue* q) noexcept nogil:
    cdef int k
    for k in range(2):
        line_free(&q.line[k])
    gaps_free(&q.gaps)
    releases_free(&q.releases)


cdef inline bint is_planned(const Queue* q) noexcept nogil:
    # Whether ends of running jobs matter to others.
    return q.depth != NO_BACKFILLING or q.closures


cdef inline int begin(Queue* q, int32_t job, int64_t length) noexcept nogil:
    # Start a job now. -1 if memory runs out.
    q.start[job] = q.now
    q.began[q.begun] = job
    q.begun += 1
    q.free_procs -= <int32_t>q.procs[job]
    heap_push(&q.running, q.now + q.runtime[job], job)
    if not is_planned(q):
        return 0
    if q.expected != NULL:
        q.expected[job] = q.now + length
    return releases_add(&q.releases, q.now + length, q.procs[job])


cdef inline int enqueue(Queue* q, int32_t job, int32_t length) noexcept nogil:
    # Let a job wait. -1 if memory runs out.
    cdef int32_t need = <int32_t>q.procs[job]
    cdef int k
    for k in range(2 - q.same):
        q.line[k].unsorted |= q.order[k].moves
    if line_add(&q.line[0], &q.order[0], job, need, length):
        return -1
    return 0 if q.same else line_add(&q.line[1], &q.order[1], job, need, length)


cdef inline void leave_line(Queue* q, int k, int32_t job) noexcept nogil:
    line_drop(&q.line[k], line_at(&q.line[k], &q.order[k], job))


cdef inline void dequeue(Queue* q, int32_t job) noexcept nogil:
    # Let a job no longer wait.
    leave_line(q, 0, job)
    if not q.same:
        leave_line(q, 1, job)


cdef inline int begin_at(Queue* q, int k, int32_t place) noexcept nogil:
    # Start the job at a place of one of the lines. -1 if memory runs out.
    cdef int32_t job = q.line[k].job[place], length = q.line[k].length[place]
    line_drop(&q.line[k], place)
    if not q.same:
        leave_line(q, 1 - k, job)
    return begin(q, job, length)


cdef inline int sweep(Queue* q, int32_t place, int32_t last) noexcept nogil:
    # Start, in the order of backfilling from a place on, what moves no reservation. With a depth
    # above 1, `last` is the last job with one in the primary order. -1 if memory runs out.
    cdef int k = 1 - q.same
    cdef const Line* line = &q.line[k]
    cdef int32_t slack = <int32_t>min(q.shadow - q.now, INT32_MAX), job
    if not q.same:
        place = line.first
    while q.free_procs > 0:
        place = fitting(
            line.need, line.length, place, line.end, q.free_procs, slack, <int32_t>q.extra, q.lanes
        )
        if place >= line.end:
            return 0
        job = line.job[place]
        if q.depth <= 1 and not q.closures:
            if line.length[place] > slack:
                q.extra -= line.need[place]
        elif (
            not before(&q.order[0], last, job)
            or not gaps_fit_now(&q.gaps, q.now, line.need[place], line.length[place])
        ):
            place += 1
            continue
        elif gaps_take_now(&q.gaps, q.now, line.length[place], line.need[place]):
            return -1
        if begin_at(q, k, place):
            return -1
        place += 1
    return 0


cdef inline int plan(Queue* q) noexcept nogil:
    # Make the plan of running jobs and announced closures. -1 if memory runs out.
    cdef int32_t k
    cdef const Closure* closure
    if gaps_make(&q.gaps, &q.releases, q.now, q.free_procs):
        return -1
    for k in range(q.closures):
        closure = &q.closed[k]
        if closure.known <= q.now and q.now < closure.begin and gaps_take(
            &q.gaps, closure.begin, closure.expected - closure.begin, closure.procs
        ):
            return -1
    return 0


cdef inline int reserve(Queue* q, int32_t place, int32_t count) noexcept nogil:
    # Give the first waiting job that does not start a reservation, or a later one the `count`-th.
    # Return whether it is the last; -1 if memory runs out.
    cdef const Line* line = &q.line[0]
    cdef int64_t need = line.need[place], length = line.length[place]
    if q.depth == 1 and not q.closures:
        q.shadow = releases_shadow(&q.releases, q.free_procs, need, &q.extra)
        return 1
    q.shadow, q.extra = INT64_MAX, 0
    if q.depth == 0:
        return 1
    if count == 1 and not q.closures and plan(q):
        return -1
    if gaps_take(&q.gaps, gaps_earliest(&q.gaps, need, length), length, need):
        return -1
    return count == q.depth


cdef inline int look(Queue* q) noexcept nogil:
    # One pass over all waiting jobs. -1 if memory runs out.
    cdef const Line* line = &q.line[0]
    cdef int32_t place = line.first, count = 0, job
    cdef int done
    q.head, q.begun_first = NO_JOB, INT32_MAX
    if q.closures and plan(q):
        return -1
    while place < line.end:
        if count and q.free_procs <= 0:
            return 0
        job = line.job[place]
        if line.need[place] <= q.free_procs and (
            (count == 0 and not q.closures)
            or gaps_fit_now(&q.gaps, q.now, line.need[place], line.length[place])
        ):
            if (count or q.closures) and gaps_take_now(
                &q.gaps, q.now, line.length[place], line.need[place]
            ):
                return -1
            if begin_at(q, 0, place):
                return -1
        elif line.need[place] != INT32_MAX:
            if count == 0:
                q.head, q.begun_first = job, q.begun
                if q.depth == NO_BACKFILLING or job < q.strict:
                    return 0
                if q.free_procs <= 0:               # nothing can start before a completion
                    q.shadow, q.extra = q.now, 0
                    return 0
            count += 1
            done = reserve(q, place, count)
            if done:
                return -1 if done < 0 else sweep(q, place + 1, job)
        place += 1
    return 0


cdef inline int age(Queue* q) noexcept nogil:
    # Let jobs that waited longer than the threshold precede all others; return whether one more
    # does. -1 if memory runs out.
    cdef int32_t job, first = q.aged, k
    cdef bint some = False
    while q.aged < q.arrived:
        job = q.came[q.aged]
        if q.start[job] < 0 and not q.early[job]:
            if q.now - q.submit[job] <= q.threshold:
                break
            leave_line(q, 0, job)
            some = True
        q.aged += 1
    if some:
        line_compact(&q.line[0])                    # while all that is left is in order
    for k in range(first, q.aged):
        job = q.came[k]
        if q.start[job] < 0 and not q.early[job]:
            q.early[job] = True
            if line_add(
                &q.line[0], &q.order[0], job, <int32_t>q.procs[job], <int32_t>q.estimate[job]
            ):
                return -1
    return some


cdef inline bint can_overtake(const Queue* q, int32_t job, int64_t length) noexcept nogil:
    # Whether a new job may start behind the head, as the last pass left it.
    return (
        q.depth >= 0 and q.head >= q.strict and q.procs[job] <= q.free_procs
        and (q.now + length <= q.shadow or q.procs[job] <= q.extra)
    )


cdef inline bint is_settled(const Queue* q) noexcept nogil:
    # Whether only new jobs can start, unless one of them is the new head.
    return q.head >= 0 and q.depth <= 1 and not q.moves and not q.closures


cdef inline bint leads(const Queue* q, int32_t job) noexcept nogil:
    # Whether a new job precedes the head that the last pass left.
    return q.head >= 0 and before(&q.order[0], job, q.head)


cdef inline int admit(Queue* q, int32_t job, int64_t length) noexcept nogil:
    # Start a job that arrives alone, or let it wait, if this needs no pass: return 0; 1 if one is
    # needed, and the job waits; -1 if memory runs out.
    if q.head == NO_JOB and q.procs[job] <= q.free_procs:
        q.begun_first = INT32_MAX
        return begin(q, job, length)                # no job waits: it starts at once
    if not is_settled(q) or leads(q, job):
        return -1 if enqueue(q, job, <int32_t>length) else 1
    if not can_overtake(q, job, length):
        return enqueue(q, job, <int32_t>length)
    if q.now + length > q.shadow:
        q.extra -= q.procs[job]
    q.begun_first = q.begun
    return begin(q, job, length)


cdef inline int react(Queue* q, bint full) noexcept nogil:
    # Start what may start, after arrivals behind the head unless `full`. -1 if memory runs out.
    if full or not is_settled(q):
        return look(q)
    if q.depth == NO_BACKFILLING or q.head < q.strict:
        return 0
    q.begun_first = q.begun
    return sweep(q, q.line[0].first, NO_JOB)
