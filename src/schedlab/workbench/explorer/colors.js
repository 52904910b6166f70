// What the color of a job says: five kinds, each up to a limit.

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const COLORS = {
  slowdown: {
    label: "by slowdown",
    limits: [1, 2, 10, 100],
    names: ["1 (did not suffer)", "to 2", "to 10", "to 100", "more"],
    heading: `bounded slowdown, τ = ${facts.tau} s`,
    value: (schedule, j) => schedule.slowdown[j],
  },
  wait: {
    label: "by wait",
    limits: [0, 10 * MINUTE, HOUR, DAY],
    names: ["none", "to 10 min", "to 1 h", "to 1 d", "more"],
    heading: "wait",
    value: (schedule, j) => schedule.wait[j],
  },
  processors: {
    label: "by processors",
    limits: [0.01, 0.05, 0.2, 0.5].map((share) => share * facts.processors),
    names: ["to 1 %", "to 5 %", "to 20 %", "to 50 %", "more"],
    heading: "share of the machine",
    value: (schedule, j, jobs) => jobs.procs[j],
  },
};
const KINDS = 5;

function kindsOf(schedule, jobs, color) {
  const { limits, value } = COLORS[color];
  const kinds = new Uint8Array(jobs.count);
  for (let j = 0; j < jobs.count; j++) {
    const found = value(schedule, j, jobs);
    let kind = 0;
    while (kind < limits.length && found > limits[kind]) kind++;
    kinds[j] = kind;
  }
  return kinds;
}

function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  const kinds = [0, 1, 2, 3, 4].map((kind) => of(`kind${kind}`));
  const names = ["paper", "ink", "faint", "line", "accent", "queue", "empty"];
  return Object.assign({ kinds }, Object.fromEntries(names.map((name) => [name, of(name)])));
}

function showLegend(color) {
  const { names, heading } = COLORS[color];
  const items = names.map((name, kind) => {
    const item = document.createElement("li"), square = document.createElement("i");
    square.style.background = `var(--kind${kind})`;
    item.append(square, name);
    return item;
  });
  const first = document.createElement("li");
  first.textContent = `${heading}:`;
  byId("legend").replaceChildren(first, ...items);
}
