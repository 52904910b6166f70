# Dependencies: jobs that may not enter the queue before others have ended.
#
# Invariant: unmet[job] counts the unfinished jobs that it depends on, and from first[other] on the
# edges lead through the jobs that depend on `other`, the last added first. Nothing is allocated
# before the first dependency; add costs O(1), a release O(dependent jobs).

from libc.stdint cimport int32_t
from libc.stdlib cimport free

from schedlab.kernels.common.region cimport resize


cdef struct Edge:
    int32_t job                         # the dependent job
    int32_t next                        # the next edge from the same job, or -1


cdef struct After:
    int32_t* unmet                      # by job
    int32_t* first                      # by job: its first edge, or -1
    int32_t room                        # capacity of these two in jobs
    Edge* edge
    int32_t edges, edge_room


cdef inline void after_free(After* a) noexcept nogil:
    free(a.unmet)
    free(a.first)
    free(a.edge)


cdef inline int after_room(After* a, int32_t room) noexcept nogil:
    # Ensure capacity for a number of jobs; -1 if memory runs out.
    if (
        resize(<void**>&a.unmet, room, sizeof(int32_t))
        or resize(<void**>&a.first, room, sizeof(int32_t))
    ):
        return -1
    while a.room < room:
        a.unmet[a.room], a.first[a.room] = 0, -1
        a.room += 1
    return 0


cdef inline int after_add(After* a, int32_t job, int32_t other) noexcept nogil:
    # Make a job depend on another; there is capacity for both. -1 if memory runs out.
    cdef int32_t room = 2 * a.edge_room if a.edge_room else 64
    if a.edges == a.edge_room:
        if resize(<void**>&a.edge, room, sizeof(Edge)):
            return -1
        a.edge_room = room
    a.edge[a.edges].job, a.edge[a.edges].next = job, a.first[other]
    a.first[other] = a.edges
    a.edges += 1
    a.unmet[job] += 1
    return 0
