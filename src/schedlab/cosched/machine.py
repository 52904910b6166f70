"""Machines whose nodes two jobs may share."""

from schedlab.core.machine import Cluster, Machine, NodeKind

#: jobs that may share a node; the kernel documents what would change with more
WAYS = 2


def shared_nodes(nodes: int, sockets: int = 2, cores: int = 10) -> Machine:
    """Return a machine of equal nodes, with cores per socket, at least 2.

    Raises ValueError if a value is out of range; the message names the field.

    Examples
    --------
    >>> ARIS.processors, share(ARIS), needs(ARIS, 121, "compact")
    (8400, 10, 7)
    """
    for name, value, least, most in (
        ("nodes", nodes, 1, 2**24),
        ("sockets", sockets, 1, 64),
        ("cores", cores, WAYS, 4096),
    ):
        if not least <= value <= most:
            raise ValueError(f"cluster: {name} is {value}, must be {least} to {most}")
    return Machine.of_clusters(Cluster("all", nodes, NodeKind(sockets * cores, sockets=sockets)))


def node_of(machine: Machine) -> NodeKind:
    """Return the kind of all nodes; ValueError if they differ."""
    if len(machine.kinds) > 1:
        raise ValueError(f"jobs share nodes of one kind, the machine has {len(machine.kinds)}")
    return machine.kinds[0]


def share(machine: Machine) -> int:
    """Return a job's cores on a node that it may share, distributed evenly over the sockets."""
    node = node_of(machine)
    return node.sockets * (node.cpus // node.sockets // WAYS)


def needs(machine: Machine, procs, mode: str):
    """Return the nodes for `procs` processes; partly used nodes count fully.

    The mode is 'compact' (whole nodes) or 'spread' (a share of each). `procs` and the result
    are int or ndarray of int.
    """
    cores = node_of(machine).cpus if mode == "compact" else share(machine)
    return -(-procs // cores)


#: the machine of kellari2025 (420 thin nodes of GRNET's ARIS)
ARIS = shared_nodes(420)
