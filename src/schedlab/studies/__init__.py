"""The studies: five papers, the arena, a reader's own site, and the referee."""
