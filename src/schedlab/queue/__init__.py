"""One queue of rigid jobs on one machine: strict order, EASY, and step-by-step sessions."""
