"""Report on your site: what its log shows, which order it should run, and what stays unknown."""
