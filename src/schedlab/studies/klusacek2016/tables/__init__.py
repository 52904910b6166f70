"""Tables of klusacek2016."""
