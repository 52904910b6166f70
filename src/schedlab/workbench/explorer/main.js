// The page put together.

const columns = await unpack().catch((error) => {
  byId("status").textContent = `This browser cannot unpack the page's numbers: ${error.message}`;
  throw error;
});
const jobs = readJobs(columns);
const colors = themeColors();
const state = { jobs, colors, hovered: -1, chosen: -1, color: "slowdown" };
const identity = Uint32Array.from({ length: jobs.count }, (_, place) => place);

state.panes = [...document.querySelectorAll(".pane canvas")].map((canvas, place) => {
  const schedule = scheduleOf(place, jobs);
  const waiting = stepsOf(identity, jobs.submit, schedule.byStart, schedule.start, () => 1, () => 0, 1);
  const sight = new Int32Array(MOST_BOXES);
  return { canvas, pen: canvas.getContext("2d"), schedule, waiting, sight, pieces: null, box: {} };
});
const ends = state.panes.map(({ schedule }) => schedule.end[schedule.byEnd.at(-1)]);
state.view = viewOf(0, Math.max(...ends), facts.processors);
const overview = overviewOf(byId("overview"));

function recolor() {
  for (const pane of state.panes) {
    const { schedule } = pane;
    pane.kinds = kindsOf(schedule, jobs, state.color);
    pane.running = stepsOf(schedule.byStart, schedule.start, schedule.byEnd, schedule.end,
      (j) => jobs.procs[j], (j) => pane.kinds[j], KINDS);
  }
  showLegend(state.color);
}

function fit(pane) {
  const width = pane.canvas.clientWidth, height = pane.canvas.clientHeight;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  if (pane.width === width && pane.height === height && pane.ratio === ratio) return;
  Object.assign(pane, { width, height, ratio, strip: height > 180 ? 24 : 12 });
  pane.canvas.width = Math.round(width * ratio);
  pane.canvas.height = Math.round(height * ratio);
  const left = 44, top = pane.strip + 3;
  pane.box = { left, top, width: Math.max(width - left - 4, 20), height: Math.max(height - top - 19, 20) };
}

function drawAll() {
  for (const pane of state.panes) {
    fit(pane);
    pane.queue = meansInSight(pane.waiting, pane, state.view);
  }
  state.mostWaiting = Math.max(1, ...state.panes.map(({ queue }) => queue.reduce((a, b) => Math.max(a, b), 0)));
  for (const pane of state.panes) drawPane(pane, state);
  drawOverview(overview, state);
}

function tellStatus() {
  const { view } = state;
  const list = byId("window"), [from, until] = facts.windows[list?.value] ?? [];
  if (from !== undefined && (view.from !== from || view.until !== until)) {
    list.value = "";
    if (location.hash.startsWith("#window")) history.replaceState(null, "", "#");
  }
  const shown = state.panes.map(({ pieces }) => pieces !== null);
  const what = shown.every(Boolean) ? "every job in sight is drawn"
    : "columns: processors in use on average; zoom in or click to see jobs";
  byId("status").textContent = `${lengthWords(view.until - view.from)} in sight from ${instantWords(view.from)} · ${what}`;
}

let scheduled = false;
function redraw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    drawAll();
    tellStatus();
  });
}

function open(j, move = true) {
  state.chosen = j;
  const starts = state.panes.map(({ schedule }) => schedule.start[j]);
  const until = Math.max(...state.panes.map(({ schedule }) => schedule.end[j]));
  const seen = starts.every((start) => start >= state.view.from && start <= state.view.until);
  if (move || !seen) showTimes(state.view, jobs.submit[j], until);
  showAutopsy(state, j, open, close);
  history.replaceState(null, "", `#job=${jobs.number[j]}`);
  redraw();
}

function close() {
  state.chosen = -1;
  byId("autopsy").hidden = true;
  document.body.classList.remove("reading");
  history.replaceState(null, "", "#");
  redraw();
}

function find(text) {
  const number = Number(text.trim()), j = text.trim() ? jobs.placeOf.get(number) : undefined;
  if (j === undefined) {
    byId("status").textContent = `There is no job ${text.trim()}; numbers are those of the log.`;
    return;
  }
  open(j);
}

// Show the counted interval of that name alone.
function showWindow(name) {
  if (!facts.windows[name]) return;
  const [from, until] = facts.windows[name];
  Object.assign(state.view, { from, until, low: 0, high: state.view.processors });
  clampView(state.view);
  byId("window").value = name;
  history.replaceState(null, "", `#window=${name}`);
  redraw();
}

const tip = byId("tip");
const act = {
  redraw, close,
  everything() {
    showAll(state.view);
    redraw();
  },
  step(by) {
    const { from, until } = state.view, { submit } = jobs;
    // Without an open job, the keys begin at the first or the last submission in sight.
    const edge = () => (by > 0 ? submit.findIndex((at) => at >= from) : submit.findLastIndex((at) => at <= until));
    const j = state.chosen < 0 ? edge() : state.chosen + by;
    if (j >= 0 && j < jobs.count) open(j);
  },
  leave() {
    tip.hidden = true;
    if (state.hovered >= 0) redraw();
    state.hovered = -1;
  },
  click(pane, { x, y }) {
    const j = jobAt(pane, state.view, x, y);
    if (j >= 0) open(j, false);
    else if (!pane.pieces) {
      zoomTime(state.view, 1 / 6, timeAt(pane, state.view, x));
      redraw();
    }
  },
  hover(pane, { x, y }, event) {
    if (event.pointerType === "touch") return;
    const { box } = pane, inside = x >= box.left && x <= box.left + box.width;
    const j = inside ? jobAt(pane, state.view, x, y) : -1;
    if (j !== state.hovered) {
      state.hovered = j;
      redraw();
    }
    tip.hidden = !inside;
    if (!inside) return;
    const at = timeAt(pane, state.view, x), lines = tipLines(pane, j, at);
    tip.replaceChildren(element("b", { textContent: lines[0] }), lines.slice(1).join(" · "));
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 6);
    const low = event.clientY + 18 + tip.offsetHeight > innerHeight;
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${low ? event.clientY - tip.offsetHeight - 10 : event.clientY + 16}px`;
  },
};

function tipLines(pane, j, at) {
  if (j < 0) {
    return [instantWords(at), `${grouped(levelAt(pane.running, at))} of ${grouped(facts.processors)} processors in use`,
      `${jobsWords(levelAt(pane.waiting, at))} waiting`];
  }
  const { schedule } = pane;
  return [`Job ${jobs.number[j]}`, `${grouped(jobs.procs[j])} processors`, `ran ${lengthWords(jobs.runtime[j])}`,
    `waited ${lengthWords(schedule.wait[j])}`, `slowdown ${grouped(schedule.slowdown[j], 2)}`];
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  Object.assign(colors, themeColors());
  redraw();
}

for (const [name, { label }] of Object.entries(COLORS)) {
  byId("color").append(element("option", { value: name, textContent: label }));
}
byId("color").addEventListener("change", (event) => {
  state.color = event.target.value;
  recolor();
  redraw();
});
byId("window")?.addEventListener("change", (event) => showWindow(event.target.value));
byId("find").addEventListener("submit", (event) => {
  event.preventDefault();
  find(byId("number").value);
});
const zoomBy = (factor) => () => {
  zoomTime(state.view, factor, (state.view.from + state.view.until) / 2);
  redraw();
};
byId("closer").addEventListener("click", zoomBy(0.5));
byId("farther").addEventListener("click", zoomBy(2));
byId("everything").addEventListener("click", act.everything);
byId("ask").addEventListener("click", () => byId("help").showModal());
byId("theme").addEventListener("click", () => {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
});
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
for (const pane of state.panes) listenToPane(pane, state, act);
listenToOverview(byId("overview"), state, act);
listenToKeys(state, act);
new ResizeObserver(redraw).observe(byId("panes"));
recolor();
setTheme(dark.matches ? "dark" : "light");
const asks = new URLSearchParams(location.hash.slice(1));
// The page that leads here may ask for a link back to its own choices.
const back = document.querySelector(".title a");
if (back && asks.has("back")) back.hash = asks.get("back");
if (asks.has("window")) showWindow(asks.get("window"));
if (asks.has("job")) find(asks.get("job"));
requestAnimationFrame(async () => {
  drawAll();
  if (asks.has("bench")) {
    document.documentElement.dataset.bench = JSON.stringify(await bench(state, drawAll));
  }
  tellStatus();
  document.documentElement.dataset.ready = "yes";
});
