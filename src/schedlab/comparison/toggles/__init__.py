"""One-at-a-time sensitivity: the effect of changing one column of a sheet's row."""
