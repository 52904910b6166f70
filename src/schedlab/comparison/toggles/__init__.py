"""Why numbers differ: one cell of a sheet's row changed at a time, and what that moves."""
