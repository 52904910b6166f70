# Which nodes a job gets, as Slurm's select/cons_tres without topology chooses them: runs of
# neighboring nodes of equal weight, the lightest first; among equal ones the smallest sufficient.
#
# Cost: O(usable nodes) for the offers, and as much per run that is taken; if that fails, once more
# for each number of processors below which nodes are left out.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from schedlab.kernels.common.portable cimport lowest
from schedlab.kernels.site.node_sets cimport choose as choose_units, common, size_of
from schedlab.kernels.site.site_state cimport (
    ALL_MEMORY, FIRST_GRES, KEPT, PER_CPU, PER_NODE, Place, Request, Site,
)


cdef inline const uint64_t* nodes_of(const Site* s, int64_t kind) noexcept nogil:
    # Nodes that could have a share of a class.
    return s.fits + s.class_static[kind] * s.words


cdef inline int64_t offer_of(const Site* s, int32_t kind, int32_t node) noexcept nogil:
    # Processors that a node can give now; 0 if it cannot serve the request.
    cdef const Request* r = &s.request[kind]
    cdef int64_t cpus = s.free_cpus[node]
    cdef int32_t g
    if r.exclusive and cpus < s.cpus[node]:
        return 0
    for g in range(s.kinds):
        if s.free_gres[node * s.kinds + g] < s.class_gres[kind * s.kinds + g]:
            return 0
    if r.mode == PER_CPU:
        if s.free_memory[node] < cpus * r.memory:
            cpus = s.free_memory[node] // r.memory
    elif r.mode == PER_NODE:
        if s.free_memory[node] < r.memory:
            return 0
    elif r.mode == ALL_MEMORY:
        if s.free_memory[node] < s.memory[node]:
            return 0
    if r.per_task > 1:
        cpus -= cpus % r.per_task
    return cpus


cdef inline bint next_run(
    const Site* s, int64_t need, int64_t wanted, int32_t* first, int32_t* last
) noexcept nogil:
    # The run to take next, as places in `left`; return whether it is sufficient.
    cdef int32_t k = 0, begin, node
    cdef int64_t cpus, weight, best_cpus = 0, best_weight = 0
    cdef bint enough, best_enough = False, better
    first[0] = -1
    while k < s.candidates:
        if s.left[k] < 0:
            k += 1
            continue
        begin = k
        node = s.candidate[k]
        weight = s.weight[node]
        cpus = 0
        while True:
            cpus += s.offer[k]
            k += 1
            node += 1
            if (
                k == s.candidates or s.left[k] < 0 or s.candidate[k] != node
                or s.weight[node] != weight
            ):
                break
        enough = cpus >= need and k - begin >= wanted
        if first[0] < 0 or weight < best_weight:
            better = True
        elif weight > best_weight or (best_enough and not enough):
            better = False
        elif enough and not best_enough:
            better = True
        else:
            better = cpus < best_cpus if enough else cpus > best_cpus
        if better:
            first[0], last[0] = begin, k
            best_cpus, best_weight, best_enough = cpus, weight, enough
    return best_enough


cdef inline bint pick(Site* s, int32_t kind, int64_t most) noexcept nogil:
    # Choose among candidates with an offer, at most `most`; `chosen` and `given` are the choice.
    cdef const Request* r = &s.request[kind]
    cdef int64_t need = r.cpus, wanted, later
    cdef int32_t k, first = 0, last = 0, best, there = 0
    cdef bint enough
    for k in range(s.candidates):
        s.left[k] = 0 if s.offer[k] > 0 else -1
        there += s.offer[k] > 0
    s.picked = 0
    while there and s.picked < r.most_nodes:
        wanted = max(r.nodes - s.picked, 0)
        enough = next_run(s, need, wanted, &first, &last)
        if wanted <= 1 and enough:
            best = -1
            for k in range(first, last):
                if s.offer[k] >= need and (best < 0 or s.offer[k] < s.offer[best]):
                    best = k
            if best >= 0:
                first, last = best, best + 1
        for k in range(first, last):
            s.left[k] = -1
            there -= 1
            if s.picked == r.most_nodes - 1 and s.offer[k] < need:
                continue
            later = max(r.nodes - s.picked - 1, 0)
            s.chosen[s.picked] = s.candidate[k]
            s.given[s.picked] = max(min(s.offer[k], need - later), <int64_t>1)
            need -= s.given[s.picked]
            s.picked += 1
            if s.picked == r.most_nodes or (need <= 0 and s.picked >= r.nodes):
                break
            if need > (r.most_nodes - s.picked) * most:
                return False
        if need <= 0 and s.picked >= r.nodes:
            return True
    return False


cdef inline void take_node(
    Site* s, const Request* r, int32_t k, int64_t* need
) noexcept nogil:
    # Take a candidate, unless the choice is complete or it would be the last and does not suffice.
    cdef int64_t later
    if s.left[k] < 0 or (need[0] <= 0 and s.picked >= r.nodes) or s.picked == r.most_nodes:
        return
    if s.picked == r.most_nodes - 1 and s.offer[k] < need[0]:
        return
    later = max(r.nodes - s.picked - 1, 0)
    s.chosen[s.picked] = s.candidate[k]
    s.given[s.picked] = max(min(s.offer[k], need[0] - later), <int64_t>1)
    need[0] -= s.given[s.picked]
    s.picked += 1


cdef inline bint pick_by_switch(Site* s, int32_t kind) noexcept nogil:
    # Choose with a tree of switches: weights are added, the lightest first, until their nodes
    # suffice. All nodes of lighter weights than the last are taken; the rest is of the leaf switch
    # with the fewest processors that suffices, else of the largest and more, nodes in their order.
    cdef const Request* r = &s.request[kind]
    cdef int64_t need = r.cpus, total = 0, heaviest = -1, next_weight, wanted, best_cpus = 0
    cdef int32_t k, count = 0, leaf, best
    cdef bint enough, best_enough = False, better
    for k in range(s.candidates):
        s.left[k] = -1 if r.most_nodes == 1 and s.offer[k] < r.cpus else 0
    while total < r.cpus or count < r.nodes:
        next_weight = -1
        for k in range(s.candidates):
            if s.left[k] == 0 and s.weight[s.candidate[k]] > heaviest and (
                next_weight < 0 or s.weight[s.candidate[k]] < next_weight
            ):
                next_weight = s.weight[s.candidate[k]]
        if next_weight < 0:
            return False
        heaviest = next_weight
        for k in range(s.candidates):
            if s.left[k] == 0 and s.weight[s.candidate[k]] == heaviest:
                total += s.offer[k]
                count += 1
    s.picked = 0
    for k in range(s.candidates):
        if s.weight[s.candidate[k]] < heaviest:
            take_node(s, r, k, &need)
        if s.weight[s.candidate[k]] != heaviest:
            s.left[k] = -1
    while need > 0 or s.picked < r.nodes:
        wanted = max(r.nodes - s.picked, 0)
        memset(s.leaf_cpus, 0, s.leaves * sizeof(int64_t))
        memset(s.leaf_nodes, 0, s.leaves * sizeof(int32_t))
        for k in range(s.candidates):
            if s.left[k] == 0:
                s.leaf_cpus[s.leaf[s.candidate[k]]] += s.offer[k]
                s.leaf_nodes[s.leaf[s.candidate[k]]] += 1
        best = -1
        for leaf in range(s.leaves):
            if not s.leaf_nodes[leaf]:
                continue
            enough = s.leaf_cpus[leaf] >= need and s.leaf_nodes[leaf] >= wanted
            if best < 0 or (enough and not best_enough):
                better = True
            elif best_enough and not enough:
                better = False
            else:
                better = s.leaf_cpus[leaf] < best_cpus if enough else s.leaf_cpus[leaf] > best_cpus
            if better:
                best, best_enough, best_cpus = leaf, enough, s.leaf_cpus[leaf]
        if best < 0:
            return False
        for k in range(s.candidates):
            if s.left[k] == 0 and s.leaf[s.candidate[k]] == best:
                take_node(s, r, k, &need)
                s.left[k] = -1
    return True


cdef inline bint choose_unit(Site* s, int32_t kind, const uint64_t* usable) noexcept nogil:
    # The same on nodes of one processor and one weight.
    cdef int32_t k, count = 0, word
    cdef int64_t cpus = s.request[kind].cpus
    cdef uint64_t bits
    for k in range(s.words):
        s.wide[k] = usable[k] & s.idle[k]
    if size_of(s.wide, s.words) < cpus:
        return False
    choose_units(s.where, s.wide, <int32_t>cpus, s.words)
    for word in range(s.words):
        bits = s.where[word]
        while bits:
            s.chosen[count] = (word << 6) | lowest(bits)
            s.given[count] = 1
            count += 1
            bits &= bits - 1
    s.picked = count
    return True


cdef inline void shift_nodes(Site* s, int32_t job, int32_t sign) noexcept nogil:
    # Free the nodes of a job (1), or occupy them (-1).
    cdef const Place* place = <Place*>s.places.at + s.first_place[job]
    cdef int64_t kind = s.pair_class[s.ran_in[job]]
    cdef int32_t k, g, node
    cdef const int64_t* gres
    cdef const uint64_t* job_nodes = s.sets + <int64_t>s.slot[job] * s.words
    if s.unit:
        for k in range(s.words):
            s.idle[k] = s.idle[k] | job_nodes[k] if sign > 0 else s.idle[k] & ~job_nodes[k]
        return
    for k in range(s.place_count[job]):
        node = place[k].node
        s.free_cpus[node] += sign * place[k].cpus
        if s.free_cpus[node] > 0:
            s.idle[node >> 6] |= <uint64_t>1 << (node & 63)
        else:
            s.idle[node >> 6] &= ~(<uint64_t>1 << (node & 63))
        s.free_memory[node] += sign * place[k].memory
        gres = s.gres + node * s.kinds if s.request[kind].exclusive else (
            s.class_gres + kind * s.kinds
        )
        for g in range(s.kinds):
            s.free_gres[node * s.kinds + g] += sign * gres[g]


cdef inline void put_back(Site* s, int32_t job) noexcept nogil:
    shift_nodes(s, job, 1)


cdef inline void take_again(Site* s, int32_t job) noexcept nogil:
    shift_nodes(s, job, -1)


cdef inline bint has_one(const Site* s, int32_t kind, const uint64_t* usable) noexcept nogil:
    # Whether one usable node has all the processors of a request, or unit nodes have them together.
    cdef int32_t word, node
    cdef int64_t cpus = s.request[kind].cpus
    cdef uint64_t bits
    if s.unit:
        return common(usable, s.idle, s.words) >= cpus
    for word in range(s.words):
        bits = usable[word] & s.idle[word]
        while bits:
            node = (word << 6) | lowest(bits)
            bits &= bits - 1
            if s.free_cpus[node] >= cpus and offer_of(s, kind, node) >= cpus:
                return True
    return False


cdef inline void use(Site* s, int64_t* state) noexcept nogil:
    # Let the live or the tried state be that of the nodes.
    s.free_cpus = state
    s.free_memory = state + s.nodes
    s.free_gres = state + 2 * s.nodes
    s.idle = <uint64_t*>(state + s.part - s.words)


cdef inline void try_without(Site* s, int32_t left) noexcept nogil:
    # Try the state after the first running jobs by limit have left. States are kept while no job
    # starts or ends.
    cdef int32_t k, place
    while s.kept_count <= left // KEPT:
        k = s.kept_count
        memcpy(
            s.kept + k * s.part, s.kept + (k - 1) * s.part if k else s.live,
            s.part * sizeof(int64_t),
        )
        use(s, s.kept + k * s.part)
        for place in range((k - 1) * KEPT if k else 0, k * KEPT):
            put_back(s, s.by_limit[place])
        s.kept_count += 1
    k = left // KEPT
    memcpy(s.trial, s.kept + k * s.part, s.part * sizeof(int64_t))
    use(s, s.trial)
    for place in range(k * KEPT, left):
        put_back(s, s.by_limit[place])


cdef inline bint has_enough_wide(
    const Site* s, const Request* r, const uint64_t* usable
) noexcept nogil:
    # Whether as many usable nodes as a request needs at least have enough free processors for it if
    # the others have all of the widest node. Memory and resources of nodes are not looked at.
    cdef int64_t few = max(r.cpus - (r.most_nodes - 1) * s.widest, <int64_t>1), count = 0
    cdef int32_t word
    cdef uint64_t bits
    for word in range(s.words):
        bits = usable[word] & s.idle[word]
        while bits:
            count += s.free_cpus[(word << 6) | lowest(bits)] >= few
            bits &= bits - 1
        if count >= r.nodes:
            return True
    return False


cdef inline bint can_suffice(Site* s, const Request* r, int64_t most) noexcept nogil:
    # Whether the candidates with the largest offers, as many as allowed, have enough together.
    cdef int32_t k
    cdef int64_t cpus, nodes = r.most_nodes, need = r.cpus
    memset(s.by_offer, 0, (most + 1) * sizeof(int32_t))
    for k in range(s.candidates):
        s.by_offer[s.offer[k]] += 1
    for cpus in range(most, 0, -1):
        if s.by_offer[cpus] >= nodes:
            return nodes * cpus >= need
        nodes -= s.by_offer[cpus]
        need -= s.by_offer[cpus] * cpus
        if need <= 0:
            return True
    return need <= 0


cdef inline bint choose(Site* s, int32_t kind, const uint64_t* usable) noexcept nogil:
    # Choose processors on usable nodes as they are free now. If a choice fails, nodes with few
    # processors are left out, until only enough nodes are left.
    cdef const Request* r = &s.request[kind]
    cdef int32_t word, node, k, count, before
    cdef int64_t most = 0, total = 0, cpus, few
    cdef uint64_t bits
    if s.unit:
        return choose_unit(s, kind, usable)
    if not has_enough_wide(s, r, usable):
        return False
    s.candidates = 0
    for word in range(s.words):
        bits = usable[word] & s.idle[word]
        while bits:
            node = (word << 6) | lowest(bits)
            bits &= bits - 1
            cpus = offer_of(s, kind, node)
            if cpus > 0:
                s.candidate[s.candidates] = node
                s.offer[s.candidates] = cpus
                s.candidates += 1
                total += cpus
                most = max(most, cpus)
    count = s.candidates
    if count < r.nodes or total < r.cpus or (r.most_nodes == 1 and most < r.cpus):
        return False
    if r.most_nodes < count and not can_suffice(s, r, most):
        return False
    if s.leaves:
        return pick_by_switch(s, kind)
    if pick(s, kind, most):
        return True
    for few in range(1, most + 1):
        if count <= r.nodes:
            return False
        before = count
        for k in range(s.candidates):
            if 0 < s.offer[k] <= few and count > r.nodes:
                s.offer[k] = 0
                count -= 1
        if count < before and pick(s, kind, most):
            return True
    return False


cdef inline int64_t memory_taken(
    const Site* s, int32_t kind, int32_t node, int64_t cpus
) noexcept nogil:
    # Memory of a node that a job occupies with so many processors of it.
    cdef const Request* r = &s.request[kind]
    if r.mode == PER_NODE:
        return r.memory
    if r.mode == PER_CPU:
        return min(r.memory * cpus, s.free_memory[node])
    return s.memory[node] if r.mode == ALL_MEMORY else 0


cdef inline void amounts_of_choice(Site* s, int32_t kind) noexcept nogil:
    # Amounts of a job on the chosen nodes: jobs, processors, memory, nodes, generic resources.
    cdef int32_t k, g, node
    cdef int64_t cpus
    cdef bint exclusive = s.request[kind].exclusive
    s.amounts[0], s.amounts[1], s.amounts[2], s.amounts[3] = 1, 0, 0, s.picked
    for g in range(s.kinds):
        s.amounts[FIRST_GRES + g] = 0
    for k in range(s.picked):
        node = s.chosen[k]
        cpus = s.cpus[node] if exclusive else s.given[k]
        s.amounts[1] += cpus
        s.amounts[2] += memory_taken(s, kind, node, cpus)
        for g in range(s.kinds):
            s.amounts[FIRST_GRES + g] += (
                s.gres[node * s.kinds + g] if exclusive else s.class_gres[kind * s.kinds + g]
            )
