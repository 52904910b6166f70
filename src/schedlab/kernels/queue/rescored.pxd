from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.common.expression cimport Program
from schedlab.kernels.queue.driven cimport Driven
from schedlab.kernels.queue.scored cimport Scored
from schedlab.kernels.queue.tournament cimport Order


cdef class Rescored(Driven):
    cdef Order orders[2]                # the primary one, and the backfill one
    cdef bint easy, same
    cdef int32_t strict
    cdef bint general[2]
    cdef bint called[2]                 # by a function of Python, not by a program
    cdef Program program[2]
    cdef int32_t* line                  # jobs that began to wait, including some that no longer do
    cdef int32_t lined
    cdef int32_t foremost               # the first job by score when they were scored; -1: unknown
    cdef bint sorted                    # whether `scored` has them
    cdef Scored scored                  # those to examine in this pass, by score
    cdef int64_t scores                 # computed by programs since the last `advance` began

    cdef int make_lines(self, int32_t room) noexcept nogil
    cdef int leads(self) noexcept nogil
    cdef bint is_used(self, int k) noexcept nogil
    cdef int score_some(self, const int32_t* line, int32_t count) noexcept nogil
    cdef void lead(self, const Order* order, const int32_t* line, int32_t count) noexcept nogil
    cdef int call(self, int k, int32_t count) noexcept with gil
    cdef int score_anew(self) noexcept nogil
    cdef void sort(self) noexcept nogil
    cdef int32_t first_scored(self) noexcept nogil
