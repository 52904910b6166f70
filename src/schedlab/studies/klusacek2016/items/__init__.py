"""What is shown of klusacek2016: the list in `index`, and what makes each group."""
