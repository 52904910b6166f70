"""Signatures of rescored.pyx, which documents them."""

from schedlab.kernels.queue.driven import Driven

class Rescored(Driven): ...
