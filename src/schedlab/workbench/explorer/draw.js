// One frame of a pane: jobs as boxes if they are wide enough, else columns; axes; marks.

const MOST_BOXES = 5000; // a pane, so that two of them stay far below a sixtieth of a second

// Pieces of jobs in sight, or null where there are more than boxes are drawn of.
function piecesInSight(pane, view) {
  const { schedule, sight } = pane;
  const { start, end, job, low, height } = schedule;
  const last = firstAfter(schedule, view.until);
  let found = 0;
  for (let piece = 0; piece < last; piece++) {
    const j = job[piece];
    if (end[j] < view.from || low[piece] >= view.high) continue;
    if (low[piece] + height[piece] <= view.low || start[j] > view.until) continue;
    if (found === MOST_BOXES) return null;
    sight[found++] = piece;
  }
  return sight.subarray(0, found);
}

// Pieces are in the order of their jobs' starts: the first one that starts after an instant.
function firstAfter({ start, job }, instant) {
  let low = 0, high = job.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[job[middle]] <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawBoxes(pen, pane, view, colors) {
  const { left, top, width, height } = pane.box;
  const { schedule, kinds } = pane;
  const { start, end, job } = schedule;
  const right = width / (view.until - view.from), up = height / (view.high - view.low);
  for (let kind = 0; kind < KINDS; kind++) {
    pen.fillStyle = colors.kinds[kind];
    for (const piece of pane.pieces) {
      const j = job[piece];
      if (kinds[j] !== kind) continue;
      const x = left + (start[j] - view.from) * right;
      const wide = (end[j] - start[j]) * right, tall = schedule.height[piece] * up;
      const y = top + height - (schedule.low[piece] - view.low) * up - tall;
      // A gap tells neighbours apart where there is room for one.
      pen.fillRect(x, y, Math.max(wide > 4 ? wide - 1 : wide, 0.6), tall > 4 ? tall - 1 : tall);
    }
  }
}

function drawJob(pen, pane, view, jobs, j, color, waits) {
  const { left, top, width, height } = pane.box;
  const { schedule } = pane;
  const right = width / (view.until - view.from), up = height / (view.high - view.low);
  const x = left + (schedule.start[j] - view.from) * right;
  const wide = Math.max((schedule.end[j] - schedule.start[j]) * right, 2);
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 2;
  for (let piece = schedule.firstPiece[j]; schedule.job[piece] === j; piece++) {
    const tall = schedule.height[piece] * up;
    const y = top + height - (schedule.low[piece] - view.low) * up - tall;
    // What a frame would cover whole is filled instead.
    if (tall < 5) pen.fillRect(x, y, wide, Math.max(tall, 1));
    else pen.strokeRect(x + 1, y + 1, Math.max(wide - 2, 1), tall - 2);
  }
  if (!waits || !schedule.wait[j]) return;
  const piece = schedule.firstPiece[j];
  const y = top + height - (schedule.low[piece] + schedule.height[piece] / 2 - view.low) * up;
  drawWait(pen, pane, left + (jobs.submit[j] - view.from) * right, x, y);
}

// Among columns a job has no lanes: the time that it runs, from bottom to top.
function drawSpan(pen, pane, view, jobs, j, color) {
  const { left, top, width, height } = pane.box;
  const { schedule } = pane;
  const right = width / (view.until - view.from);
  const x = left + (schedule.start[j] - view.from) * right;
  const wide = Math.max((schedule.end[j] - schedule.start[j]) * right, 2);
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.globalAlpha = 0.3;
  pen.fillRect(x, top, wide, height);
  pen.globalAlpha = 1;
  pen.strokeRect(x, top, wide, height);
  if (schedule.wait[j]) {
    drawWait(pen, pane, left + (jobs.submit[j] - view.from) * right, x, top + height / 2);
  }
}

function drawWait(pen, { box: { left, width } }, came, x, y) {
  pen.setLineDash([5, 4]);
  pen.beginPath();
  pen.moveTo(Math.max(came, left - 10), y);
  pen.lineTo(Math.min(x, left + width + 10), y);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(came, y - 7);
  pen.lineTo(came, y + 7);
  pen.stroke();
}

const TICKS = [1, 2, 5, 10, 15, 30].concat([1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  [1, 2, 3, 6, 12].map((each) => each * HOUR),
  [1, 2, 5, 7, 14, 28, 50, 100, 200, 365, 730, 1460].map((each) => each * DAY));

function drawAxes(pen, pane, view, colors) {
  const { left, top, width, height } = pane.box;
  const span = view.until - view.from;
  const step = TICKS.find((each) => (each / span) * width >= 74) || TICKS.at(-1);
  pen.strokeStyle = colors.line;
  pen.fillStyle = colors.faint;
  pen.lineWidth = 1;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.beginPath();
  for (let at = Math.max(Math.ceil(view.from / step), 0) * step; at <= view.until; at += step) {
    const x = Math.round(left + ((at - view.from) / span) * width) + 0.5;
    pen.moveTo(x, top);
    pen.lineTo(x, top + height + 3);
    if (x > left + 18 && x < left + width - 22) pen.fillText(tickWords(at, step), x, top + height + 4);
  }
  const lanes = view.high - view.low;
  const laneStep = niceStep(lanes / Math.max(height / 34, 1));
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (let lane = Math.ceil(view.low / laneStep) * laneStep; lane <= view.high; lane += laneStep) {
    const y = Math.round(top + height - ((lane - view.low) / lanes) * height) + 0.5;
    pen.moveTo(left - 3, y);
    pen.lineTo(left, y);
    pen.fillText(shortNumber(lane), left - 5, y);
  }
  pen.stroke();
  pen.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
}

function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least);
}

function drawPane(pane, state) {
  const { pen, box } = pane, { view, colors } = state;
  pen.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  pen.clearRect(0, 0, pane.width, pane.height);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = colors.empty;
  pen.fillRect(box.left, box.top, box.width, box.height);
  pane.pieces = piecesInSight(pane, view);
  drawQueue(pen, pane, state.mostWaiting, colors);
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.width, box.height);
  pen.clip();
  if (pane.pieces) drawBoxes(pen, pane, view, colors);
  else drawColumns(pen, pane, view, colors);
  const { jobs, hovered, chosen } = state;
  if (hovered >= 0 && pane.pieces) drawJob(pen, pane, view, jobs, hovered, colors.ink, false);
  if (chosen >= 0 && pane.pieces) drawJob(pen, pane, view, jobs, chosen, colors.accent, true);
  if (chosen >= 0 && !pane.pieces) drawSpan(pen, pane, view, jobs, chosen, colors.accent);
  pen.restore();
  // Boxes show a window of the processors, columns all of them.
  drawAxes(pen, pane, pane.pieces ? view : { ...view, low: 0, high: view.processors }, colors);
}
