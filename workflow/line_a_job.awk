# Print one line for each job that Snakemake starts, and every other message as it is.
#
# usage: snakemake ... 2>&1 | awk -f workflow/line_a_job.awk
#
# "Job 12: Drawing fig4" becomes "3 of 429 done: Drawing fig4". Time stamps, ends of jobs and
# announcements of the scheduler are left out. Of the message on a missing log, only the first line
# is printed: the log of the job has all of it.

/^(Folders of SCHEDLAB_ARCHIVE|Addresses tried|What to do: put|and run the same command)/ { if (missing) next }
/^(It is the right file if|Without it everything is made|  )/ { if (missing) next }
{ missing = 0 }
/ is not available: no good copy of / { missing = 1 }

/^$/ { next }
/^\[[A-Z][a-z][a-z] [A-Z][a-z][a-z] +[0-9]+ [0-9:]+ [0-9]+\]$/ { next }
/^Select jobs to execute\.\.\.$/ { next }
/^Execute [0-9]+ jobs\.\.\.$/ { next }
/^Finished jobid: [0-9]+/ { next }
/^[0-9]+ of [0-9]+ steps \([0-9.]+%\) done$/ { done = $1 " of " $3 " done: "; if ($1 < $3) next }
/^Job [0-9]+: / { sub(/^Job [0-9]+: /, done) }
{ print; fflush() }
