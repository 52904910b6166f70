"""The studies: five papers, the arena, your site, and the referee."""
