"""Planning and Metaheuristic Optimization in Production Job Scheduler (JSSPP 2016)."""
