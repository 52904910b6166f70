"""A reader's own site: what its log says, which order it should run, and what nobody can tell."""
