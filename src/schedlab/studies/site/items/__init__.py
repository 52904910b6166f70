"""Items of a site."""
