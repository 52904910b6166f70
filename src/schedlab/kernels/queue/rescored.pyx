"""Queues in orders whose scores change arbitrarily with time.

Every waiting job is scored again before each pass that can start a job. In most passes only the
first one is asked for; if more are, they are put into a heap (`Scored`). A function of Python can
compute the scores instead of a program (`called`): one call per pass, holding the interpreter's
lock.

Cost: O(w) per pass for w waiting jobs, and O(log w) per start.
"""

import numpy as np

from libc.math cimport isfinite
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from schedlab.kernels.common.expression cimport orders_nothing
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.driven cimport IS_WAITING, Driven
from schedlab.kernels.queue.score_block cimport BLOCK, Block, score_block
from schedlab.kernels.queue.scored cimport scored_drop, scored_make
from schedlab.kernels.queue.tournament cimport Order, Rival, before


cdef class Rescored(Driven):
    """Base of `Stepper`: its two orders, and scores of waiting jobs in those that need them."""

    def __dealloc__(self):
        free(self.line)
        free(self.scored.job)
        for order in range(2):
            free(self.orders[order].rival)

    cdef int make_lines(self, int32_t room) noexcept nogil:
        # Columns for `room` jobs; -1 if memory runs out.
        return (
            resize(<void**>&self.line, room, sizeof(int32_t))
            or resize(<void**>&self.scored.job, room, sizeof(int32_t))
            or resize(<void**>&self.orders[0].rival, room, sizeof(Rival))
            or resize(<void**>&self.orders[1].rival, room, sizeof(Rival))
        )

    cdef keep(self, programs):
        cdef const int32_t[::1] op
        cdef const double[::1] constant
        cdef int32_t k
        self.kept = programs
        for k in range(2):
            self.general[k] = programs[k] is not None
            self.called[k] = callable(programs[k])
            if self.general[k] and not self.called[k]:
                op, constant = programs[k]
                self.program[k].op, self.program[k].constant = &op[0], &constant[0]
                self.program[k].length = <int32_t>op.shape[0]

    cdef int leads(self) noexcept nogil:
        # Which of the two orders determines the head; if both are equal, only this one is used.
        return self.easy and self.same

    cdef bint is_used(self, int k) noexcept nogil:
        # Whether jobs are compared in an order.
        return k == self.easy or (self.easy and not self.same)

    cdef int score_some(self, const int32_t* line, int32_t count) noexcept nogil:
        # Compute scores of at most one block of jobs at the present time; -1: one has no order.
        cdef int32_t k, at, job
        cdef double score
        cdef Block block
        for at in range(count):
            job = line[at]
            block.r[at], block.n[at] = self.estimate[job], self.procs[job]
            block.s[at] = self.submit_[job]
            block.w[at] = self.clock - block.s[at]
        for k in range(2):
            if not self.general[k] or self.called[k] or (self.same and k != self.leads()):
                continue
            score_block(&self.program[k], &block, count)
            for at in range(count):
                job, score = line[at], block.stack[0][at]
                if job < self.strict:
                    continue                    # in front, in order of arrival
                if not isfinite(score) and orders_nothing(
                    &self.program[k], score, block.r[at], block.n[at], block.s[at], block.w[at]
                ):
                    self.faulty_ = job
                    return -1
                self.orders[k].rival[job].score = score
            if k == self.leads():
                self.lead(&self.orders[k], line, count)
        return 0

    cdef void lead(self, const Order* order, const int32_t* line, int32_t count) noexcept nogil:
        # Update the foremost job by some that were just scored.
        cdef int32_t at
        for at in range(count):
            if self.foremost >= 0 and (
                order.rival[line[at]].score > order.rival[self.foremost].score
            ):
                continue
            if self.foremost < 0 or before(order, line[at], self.foremost, self.clock):
                self.foremost = line[at]

    cdef int call(self, int k, int32_t count) noexcept with gil:
        # Compute scores of waiting jobs, in order of arrival, with a function of Python; -1: it
        # raised.
        cdef int32_t at
        cdef int32_t[::1] handle
        cdef const double[::1] score
        try:
            handles = np.empty(count, dtype=np.int32)
            handle = handles
            for at in range(count):
                handle[at] = self.number[self.line[at]]
            score = self.kept[k](handles, self.clock)
            for at in range(count):
                if self.line[at] >= self.strict:
                    self.orders[k].rival[self.line[at]].score = score[at]
        except BaseException as error:
            self.raised = error
            return -1
        return 0

    cdef int score_anew(self) noexcept nogil:
        # Compute current scores and the order of waiting jobs; -1: one has no order.
        cdef int32_t at, k, count = 0
        if not self.general[0] and not self.general[1]:
            return 0
        for at in range(self.lined):
            if self.state_[self.line[at]] == IS_WAITING:
                self.line[count] = self.line[at]
                count += 1
        at, self.foremost, self.sorted = 0, -1, False
        while at < count:
            if self.score_some(&self.line[at], min(count - at, <int32_t>BLOCK)):
                return -1
            at += BLOCK
        self.lined = count
        self.scores += count
        for k in range(2):
            if count and self.called[k] and (not self.same or k == self.leads()):
                if self.call(k, count):
                    return -1
        return 0

    cdef void sort(self) noexcept nogil:
        # Put the scored jobs into a heap: in most passes only the first one is asked for.
        cdef int32_t at
        self.scored.count = self.lined
        for at in range(self.lined):
            self.scored.job[at] = self.line[at]
        scored_make(&self.scored, &self.orders[self.leads()], self.clock)
        self.sorted = True

    cdef int32_t first_scored(self) noexcept nogil:
        # The first waiting job by the scores of this pass, or -1.
        if not self.sorted:
            if self.foremost >= 0 and self.state_[self.foremost] == IS_WAITING:
                return self.foremost
            self.sort()
        while self.scored.count and self.state_[self.scored.job[0]] != IS_WAITING:
            scored_drop(&self.scored, &self.orders[self.leads()], self.clock)
        return self.scored.job[0] if self.scored.count else -1
