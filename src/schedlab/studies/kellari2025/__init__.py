"""Co-scheduling algorithms for HPC applications (NTUA 2025)."""
