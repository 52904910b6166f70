"""Items of klusacek2016: the list in `index`, and the makers of each group."""
