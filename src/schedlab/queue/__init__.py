"""One queue of rigid jobs on one machine: strict, EASY, and stepped from outside."""
