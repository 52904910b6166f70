# What the queues that are driven from outside have in common: what they know of each job, who has
# started and who is over, who waits for whom, how time goes on, and the first half of a copy. What
# a kind of queue adds are `keep`, `next_time`, `run`, `enter` and `copy`.
#
# Invariant: `number` ascends, so that of two jobs the one with the lower place has the lower handle
# in every copy; `over` holds each job that has ended or was taken back, once; no job before `low`
# is anything else, and every job from `high` on is to come, or was taken back before. Adding,
# starting and ending cost O(1), a handle is found in O(log jobs), a copy costs O(jobs that live)
# and a look at the state of each job from `low` on; to an observer up to `high`.

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport realloc

from schedlab.kernels.queue.after cimport After


cdef enum State:                        # who is over has the bit IS_ENDED
    IS_PENDING, IS_HELD, IS_WAITING, IS_RUNNING, IS_ENDED, IS_CANCELLED


cdef struct Moved:
    int32_t count                       # jobs that live
    int32_t* old                        # the place of each in the parent, ascending
    int32_t* fresh                      # its place in the copy, by that in the parent; one block


cdef class Driven:
    cdef int32_t jobs, room             # known here; there is room for
    cdef int32_t given                  # handles
    cdef int32_t low, high              # all before `low` are over, from `high` on are to come
    cdef int32_t free_procs
    cdef int64_t clock
    cdef bint stale, broken             # stale: the present time is to be looked at again
    cdef int32_t* number                # handle
    cdef int64_t* submit_
    cdef int64_t* runtime
    cdef int64_t* estimate
    cdef int64_t* procs
    cdef int64_t* start_
    cdef int64_t* end_
    cdef signed char* state_
    cdef int32_t* began                 # jobs that started, and those that are over, in order
    cdef int32_t* over
    cdef int32_t begun, gone            # how many these are, how many have been read
    cdef int32_t begun_read, gone_read
    cdef int32_t recorded               # and how many of those that are over a copy knows of
    cdef After after
    cdef char* asked                    # by job, where somebody's start is looked for,
    cdef int32_t awaited                # and how many of these have not started
    cdef object kept                    # the arrays of programs, or functions, that score jobs
    cdef object raised                  # what a function raised, after which nothing goes on
    cdef int32_t faulty_                # a job whose score orders nothing, or -1

    cdef keep(self, programs)
    cdef int64_t next_time(self) noexcept nogil
    cdef int run(self, int64_t until, bint on_end) noexcept nogil
    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept
    cdef int64_t go_on(self, int64_t until, bint on_end) except -2
    cdef int make_room(self, int32_t room) noexcept nogil
    cdef int enter(self, int32_t job) noexcept nogil
    cdef int let_go(self, int32_t job) noexcept nogil
    cdef int32_t place(self, int32_t handle) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef int pick(self, Driven parent, bint observed, Moved* moved) noexcept nogil
    cdef int take(self, Driven parent, bint observed, const Moved* moved) noexcept nogil


cdef inline int resize(void** column, int64_t room, int64_t size) noexcept nogil:
    # A column for `room` jobs and one more; -1 when memory is out, and then it stays as it was.
    cdef void* p = realloc(column[0], (room + 1) * size)
    if p == NULL:
        return -1
    column[0] = p
    return 0


cdef inline int32_t add_job(
    Driven q, int64_t submit, int64_t runtime, int64_t estimate, int64_t procs
) noexcept nogil:
    # A job more, for which there is room; its place, which the caller makes valid.
    cdef int32_t job = q.jobs
    q.submit_[job], q.runtime[job] = submit, runtime
    q.estimate[job], q.procs[job] = estimate, procs
    q.start_[job] = q.end_[job] = -1
    q.state_[job] = IS_PENDING
    q.number[job] = q.given
    if submit <= q.clock:
        q.high = job + 1
    return job


cdef inline bint is_held(Driven q, int32_t job) noexcept nogil:
    # Whether a job that arrives must be held; then it is.
    if job >= q.high:
        q.high = job + 1
    if q.after.edges == 0 or q.after.unmet[job] == 0:
        return False
    q.state_[job] = IS_HELD
    return True


cdef inline bint is_seen(Driven q, int32_t job) noexcept nogil:
    # Whether a job lives and has been submitted, which is all that an observer sees.
    if q.state_[job] & IS_ENDED:
        return False
    return q.state_[job] != IS_PENDING or q.submit_[job] <= q.clock


cdef inline void note_start(Driven q, int32_t job) noexcept nogil:
    q.began[q.begun] = job
    q.begun += 1
    if q.asked != NULL and q.asked[job]:
        q.awaited -= 1


cdef inline int note_over(Driven q, int32_t job, State state) noexcept nogil:
    # Note that a job has ended or was taken back, and let go who waited for it alone.
    q.state_[job] = state
    q.over[q.gone] = job
    q.gone += 1
    return q.let_go(job) if q.after.edges else 0


cdef inline bint is_answered(const char* asked, int32_t awaited) noexcept nogil:
    # Whether starts are looked for and all of them are known.
    return asked != NULL and awaited == 0
