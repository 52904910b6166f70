# What the queues that are driven from outside have in common: what they know of each job, who has
# started and who is over, who waits for whom, and the first half of a copy.
#
# Invariant: `number` ascends, so that of two jobs the one with the lower place has the lower handle
# in every copy; `over` holds each job that has ended or was taken back, once; no job before `low`
# is anything else. Adding, starting and ending cost O(1), a handle is found in O(log jobs), a copy
# costs O(jobs that live) and a look at the state of each job from `low` on.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.after cimport After


cdef enum State:                        # who is over has the bit IS_ENDED
    IS_PENDING, IS_HELD, IS_WAITING, IS_RUNNING, IS_ENDED, IS_CANCELLED


cdef struct Moved:
    int32_t count                       # jobs that live
    int32_t* old                        # the place of each in the parent, ascending
    int32_t* fresh                      # its place in the copy, by that in the parent


cdef class Driven:
    cdef int32_t jobs, room             # known here; there is room for
    cdef int32_t given                  # handles
    cdef int32_t low                    # all jobs before it are over
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

    cdef int make_room(self, int32_t room) noexcept nogil
    cdef int32_t add(
        self, int64_t submit, int64_t runtime, int64_t estimate, int64_t procs
    ) noexcept nogil
    cdef int enter(self, int32_t job) noexcept nogil
    cdef bint is_held(self, int32_t job) noexcept nogil
    cdef void note_start(self, int32_t job) noexcept nogil
    cdef int note_over(self, int32_t job, State state) noexcept nogil
    cdef bint is_answered(self) noexcept nogil
    cdef int32_t place(self, int32_t handle) noexcept nogil
    cdef int pick(self, Driven parent, bint observed, Moved* moved) noexcept nogil
    cdef int take(self, Driven parent, bint observed, const Moved* moved) noexcept nogil
