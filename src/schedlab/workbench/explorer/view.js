// The part of time and processors that all panes show, and how it moves.

const SHORTEST = 20; // seconds across a pane, at least
const FEWEST = 4; // processors from bottom to top, at least

function viewOf(first, last, processors) {
  const margin = Math.max((last - first) * 0.01, 1);
  const view = { first: first - margin, last: last + margin, processors };
  return Object.assign(view, { from: view.first, until: view.last, low: 0, high: processors });
}

function clampView(view) {
  const whole = view.last - view.first;
  const span = Math.min(Math.max(view.until - view.from, Math.min(SHORTEST, whole)), whole);
  view.from = Math.min(Math.max(view.from, view.first), view.last - span);
  view.until = view.from + span;
  const fewest = Math.min(FEWEST, view.processors);
  const lanes = Math.min(Math.max(view.high - view.low, fewest), view.processors);
  view.low = Math.min(Math.max(view.low, 0), view.processors - lanes);
  view.high = view.low + lanes;
}

// What lies at `at` stays where it is; a factor below 1 comes closer.
function zoomTime(view, factor, at) {
  view.from = at - (at - view.from) * factor;
  view.until = at + (view.until - at) * factor;
  clampView(view);
}

function zoomLanes(view, factor, at) {
  view.low = at - (at - view.low) * factor;
  view.high = at + (view.high - at) * factor;
  clampView(view);
}

function panView(view, seconds, lanes) {
  const span = view.until - view.from, height = view.high - view.low;
  view.from += seconds;
  view.until = view.from + span;
  view.low += lanes;
  view.high = view.low + height;
  clampView(view);
}

function showAll(view) {
  Object.assign(view, { from: view.first, until: view.last, low: 0, high: view.processors });
}

// Bring stretches of time into sight: the middle of them, with room around.
function showTimes(view, from, until) {
  const span = Math.max((until - from) * 1.6, 600);
  const middle = (from + until) / 2;
  Object.assign(view, { from: middle - span / 2, until: middle + span / 2 });
  Object.assign(view, { low: 0, high: view.processors });
  clampView(view);
}
