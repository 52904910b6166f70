// Sums of boxes over time (processors in use, jobs that wait), by kind: levels and areas so far,
// so that the mean over any stretch of time is two look-ups, however many jobs lie in it.

// A box of job j rises at up[j] and falls at down[j]; upOrder and downOrder sort these times.
function stepsOf(upOrder, up, downOrder, down, weightOf, kindOf, kinds) {
  const count = upOrder.length, events = 2 * count;
  const time = new Float64Array(events);
  const levels = [], areas = [];
  for (let kind = 0; kind < kinds; kind++) {
    levels.push(new Float64Array(events));
    areas.push(new Float64Array(events));
  }
  const level = new Float64Array(kinds), area = new Float64Array(kinds);
  let rises = 0, falls = 0, now = 0;
  for (let event = 0; event < events; event++) {
    const rising = rises < count && up[upOrder[rises]] <= down[downOrder[falls]];
    const job = rising ? upOrder[rises++] : downOrder[falls++];
    const then = rising ? up[job] : down[job];
    if (event) for (let kind = 0; kind < kinds; kind++) area[kind] += level[kind] * (then - now);
    now = time[event] = then;
    level[kindOf(job)] += rising ? weightOf(job) : -weightOf(job);
    for (let kind = 0; kind < kinds; kind++) {
      levels[kind][event] = level[kind];
      areas[kind][event] = area[kind];
    }
  }
  return { time, levels, areas, kinds };
}

// Place of the last number that is at most `value` in a sorted column; -1 where there is none.
function lastUpTo(column, value) {
  let low = 0, high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function areaUntil(steps, kind, at, event) {
  if (event < 0) return 0;
  return steps.areas[kind][event] + steps.levels[kind][event] * (at - steps.time[event]);
}

// Means of every kind over `count` stretches of equal length from `from` on, kind after kind.
function meansOf(steps, from, length, count) {
  const means = new Float64Array(steps.kinds * count);
  const before = new Float64Array(steps.kinds);
  let event = lastUpTo(steps.time, from);
  for (let kind = 0; kind < steps.kinds; kind++) before[kind] = areaUntil(steps, kind, from, event);
  for (let column = 0; column < count; column++) {
    const until = from + length * (column + 1);
    while (event + 1 < steps.time.length && steps.time[event + 1] <= until) event++;
    for (let kind = 0; kind < steps.kinds; kind++) {
      const area = areaUntil(steps, kind, until, event);
      means[kind * count + column] = (area - before[kind]) / length;
      before[kind] = area;
    }
  }
  return means;
}

// The sum over all kinds just after everything that happens at an instant.
function levelAt(steps, at) {
  const event = lastUpTo(steps.time, at);
  let sum = 0;
  if (event >= 0) for (const levels of steps.levels) sum += levels[event];
  return sum;
}
