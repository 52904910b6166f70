"""Clusters of nodes, sockets and cores."""

from dataclasses import dataclass

#: jobs that may share a node; the kernel documents what would change with more
WAYS = 2


@dataclass(frozen=True)
class Nodes:
    """Identical nodes, with cores per socket, at least 2.

    Raises ValueError if a value is out of range; the message names the field.

    Examples
    --------
    >>> ARIS.processors, ARIS.node_cores, ARIS.share, ARIS.needs(121, "compact")
    (8400, 20, 10, 7)
    """

    nodes: int
    sockets: int = 2
    cores: int = 10

    def __post_init__(self) -> None:
        for name, least, most in (("nodes", 1, 2**24), ("sockets", 1, 64), ("cores", WAYS, 4096)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(
                    f"cluster: {name} is {getattr(self, name)}, must be {least} to {most}"
                )

    @property
    def node_cores(self) -> int:
        """Cores per node."""
        return self.sockets * self.cores

    @property
    def share(self) -> int:
        """Cores of a job on a node that it may share, distributed evenly over the sockets."""
        return self.sockets * (self.cores // WAYS)

    @property
    def processors(self) -> int:
        """Cores of all nodes."""
        return self.nodes * self.node_cores

    def needs(self, procs, mode: str):
        """Return the nodes for `procs` processes; partly used nodes count fully.

        The mode is 'compact' (whole nodes) or 'spread' (a share of each). `procs` and the result
        are int or ndarray of int.
        """
        cores = self.node_cores if mode == "compact" else self.share
        return -(-procs // cores)


#: the machine of kellari2025 (420 thin nodes of GRNET's ARIS)
ARIS = Nodes(420)
