// What a schedule says of one job's wait. Nothing here knows the policy: only who came when, who ran
// when, and on how many processors.

const LISTED = 5;

function autopsy(pane, jobs, j) {
  const { schedule } = pane, { start, end } = schedule;
  const came = jobs.submit[j], began = start[j];
  const ahead = [], overtakers = [], released = [];
  let overtaken = 0, queue = 0, used = 0;
  for (let i = 0; i < jobs.count; i++) {
    if (i === j) continue;
    if (start[i] <= came && end[i] > came) used += jobs.procs[i];
    const before = i < j, waited = start[i] > came;
    if (before && waited) {
      queue++;
      if (start[i] <= began) ahead.push(i);
      else overtaken++;
    } else if (!before && start[i] < began) overtakers.push(i);
    if (end[i] === began && start[i] < began) released.push(i);
  }
  const area = (i) => jobs.procs[i] * (end[i] - start[i]);
  const largest = (list) => list.sort((a, b) => area(b) - area(a) || a - b);
  const sum = (list, value) => list.reduce((total, i) => total + value(i), 0);
  return {
    start: began, end: end[j], wait: schedule.wait[j], slowdown: schedule.slowdown[j],
    free: facts.processors - used, queue, overtaken,
    ahead: largest(ahead), aheadArea: sum(ahead, area),
    overtakers: largest(overtakers), overtakersArea: sum(overtakers, area),
    released: released.sort((a, b) => jobs.procs[b] - jobs.procs[a] || a - b),
    releasedProcs: sum(released, (i) => jobs.procs[i]),
    ...roomWhileWaiting(pane.running, came, began, jobs.procs[j]),
  };
}

// While a job waited: for how long enough processors were free for it (as they stand after all that
// happens at an instant), since when, and the most that were.
function roomWhileWaiting(running, came, began, wanted) {
  let room = 0, since = null, mostFree = 0;
  let event = Math.max(lastUpTo(running.time, came), 0);
  for (let at = came; at < began; ) {
    while (event + 1 < running.time.length && running.time[event + 1] <= at) event++;
    const next = event + 1 < running.time.length ? Math.min(running.time[event + 1], began) : began;
    let used = 0;
    for (const levels of running.levels) used += levels[event];
    const free = facts.processors - used;
    mostFree = Math.max(mostFree, free);
    if (free >= wanted) {
      room += next - at;
      if (since === null) since = at;
    }
    at = next;
  }
  return { room, since, mostFree };
}
