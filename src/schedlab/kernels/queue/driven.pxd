# Base of the queues under external control: data on each job, starts and ends, dependencies, the
# advance of time, and the first half of a copy. A kind of queue adds `keep`, `next_time`, `run`,
# `enter` and `copy`.
#
# Invariant: `number` ascends, so that of two jobs the one with the lower place has the lower
# handle in every copy. `over` contains each job that has ended or was cancelled, once. Every job
# before `low` is over, and every job from `high` on is to come, or was cancelled before. Adding,
# starting and ending cost O(1), finding a handle O(log jobs). A copy costs O(live jobs) and a
# check of the state of each job from `low` on; for an observer up to `high`.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.queue.after cimport After


cdef enum State:                        # ended and cancelled jobs have the bit IS_ENDED
    IS_PENDING, IS_HELD, IS_WAITING, IS_RUNNING, IS_ENDED, IS_CANCELLED


cdef struct Closure:                    # processors that no job may have for a time
    int64_t known                       # announced then; the scheduler plans around it from then on
    int64_t begin, end                  # jobs that run at its beginning go on
    int64_t expected                    # its end, as far as the scheduler knows
    int32_t procs


cdef struct Moved:
    int32_t count                       # number of live jobs
    int32_t* old                        # the place of each in the parent, ascending
    int32_t* fresh                      # its place in the copy, by place in the parent; one block


cdef class Driven:
    cdef int32_t jobs, room             # known jobs; capacity
    cdef int32_t given                  # number of handles
    cdef int32_t low, high              # all before `low` are over, from `high` on are to come
    cdef int32_t free_procs             # below 0 while jobs run on closed processors
    cdef Closure* closed
    cdef int32_t closures
    cdef int64_t change_at              # when the next one is announced, begins or ends
    cdef int64_t clock
    cdef bint stale, broken             # stale: the present time must be processed again
    cdef int32_t* number                # handle
    cdef int64_t* submit_
    cdef int64_t* runtime
    cdef int64_t* estimate
    cdef int64_t* procs
    cdef int64_t* start_
    cdef int64_t* end_
    cdef signed char* state_
    cdef int32_t* began                 # jobs that started, and jobs that are over, in order
    cdef int32_t* over
    cdef int32_t begun, gone            # their numbers, and how many have been read
    cdef int32_t begun_read, gone_read
    cdef int32_t recorded               # and how many of the jobs that are over a copy knows
    cdef After after
    cdef char* wanted                   # by job, whether a caller asked for its start,
    cdef int32_t awaited                # and how many of these have not started
    cdef object kept                    # arrays of programs, or functions, that score jobs
    cdef object raised                  # error of a function, after which nothing continues
    cdef int32_t faulty_                # a job whose score has no order, or -1

    cdef keep(self, programs)
    cdef int64_t next_time(self) noexcept nogil
    cdef int run(self, int64_t until, bint on_end) noexcept nogil
    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept
    cdef int64_t go_on(self, int64_t until, bint on_end) except -2
    cdef int make_room(self, int32_t room) noexcept nogil
    cdef int enter(self, int32_t job) noexcept nogil
    cdef int announce(self, const Closure* closure) noexcept nogil
    cdef int shut(self, const Closure* closure) noexcept nogil
    cdef int reopen(self, const Closure* closure) noexcept nogil
    cdef int change(self) noexcept nogil
    cdef void soon(self, int64_t time) noexcept nogil
    cdef int keep_closures(self, const Closure* closures, int32_t count) noexcept nogil
    cdef int let_go(self, int32_t job) noexcept nogil
    cdef int32_t place(self, int32_t handle) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef int pick(self, Driven parent, bint observed, Moved* moved) noexcept nogil
    cdef int take(self, Driven parent, bint observed, const Moved* moved) noexcept nogil


cdef inline int32_t add_job(
    Driven q, int64_t submit, int64_t runtime, int64_t estimate, int64_t procs
) noexcept nogil:
    # Add a job, for which there is capacity; return its place, which the caller makes valid.
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
    # Return whether an arriving job must be held; if so, hold it.
    if job >= q.high:
        q.high = job + 1
    if q.after.edges == 0 or q.after.unmet[job] == 0:
        return False
    q.state_[job] = IS_HELD
    return True


cdef inline bint is_seen(Driven q, int32_t job) noexcept nogil:
    # Return whether a job is live and submitted, so that an observer sees it.
    if q.state_[job] & IS_ENDED:
        return False
    return q.state_[job] != IS_PENDING or q.submit_[job] <= q.clock


cdef inline void note_start(Driven q, int32_t job) noexcept nogil:
    q.began[q.begun] = job
    q.begun += 1
    if q.wanted != NULL and q.wanted[job]:
        q.awaited -= 1


cdef inline int note_over(Driven q, int32_t job, State state) noexcept nogil:
    # Record that a job has ended or was cancelled, and release jobs that depended only on it.
    q.state_[job] = state
    q.over[q.gone] = job
    q.gone += 1
    return q.let_go(job) if q.after.edges else 0


cdef inline bint is_answered(const char* wanted, int32_t awaited) noexcept nogil:
    # Return whether a caller asked for starts and all of them are known.
    return wanted != NULL and awaited == 0
