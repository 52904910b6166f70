// Fill the charts and the table from the choices of the form, and link their selections.
"use strict";
const byId = (id) => document.getElementById(id);
const facts = JSON.parse(byId("facts").textContent);
const { columns, data } = facts.cells;
const cells = data.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]])));
const choice = byId("choice").elements;
const chosen = new Set();
let views = {};
const address = new URLSearchParams(location.hash.slice(1));
let openWindow = address.get("window");

// Three significant digits; whole numbers from 1000 on.
const digits = (value) => (value === null ? "–" : Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en")
  : value.toPrecision(3));

// The name of a policy; one of the reader's configuration is marked.
const marked = (scheduler) => scheduler + (facts.yours.includes(scheduler) ? facts.mark : "");

// The rows of each chart, with what is selected.
function rowsOf() {
  const log = choice.log.value, metric = choice.metric.value;
  const others = new Map(cells.filter((cell) => cell.log === log && cell.metric === choice.other.value)
    .map((cell) => [cell.scheduler, cell.ratio]));
  const full = (cell) => ({ ...cell, other: others.get(cell.scheduler) ?? null,
    metric_label: facts.labels[cell.metric], state: cell.verdict || (cell.scheduler === facts.same ? facts.same : facts.none),
    dim: chosen.size > 0 && !chosen.has(cell.scheduler), named: chosen.has(cell.scheduler) });
  const shown = ({ scheduler }) => !choice.only.checked || chosen.has(scheduler) || !chosen.size;
  const table = cells.filter((cell) => cell.log === log && cell.metric === metric && shown(cell)).map(full);
  const place = new Map(table.map(({ scheduler }, number) => [scheduler, number]));
  const inOrder = (list) => list.filter(({ scheduler, ratio }) => place.has(scheduler) && ratio !== null)
    .sort((a, b) => place.get(a.scheduler) - place.get(b.scheduler)).map(full);
  const rated = table.filter(({ ratio }) => ratio > 0);
  const isNamed = ({ cell }) => cell.split(" · ").some((part) => chosen.has(part));
  const numbers = facts.numbers.filter(({ board }) => board === byId("board").value);
  const anyNamed = numbers.some(isNamed);
  return {
    windows: rowsOfWindows(table), numbers: numbers.map((row) => ({ ...row, dim: anyNamed && !isNamed(row) })),
    table, ratios: rated, ranks: table, pairs: rated.filter(({ other }) => other > 0),
    metrics: inOrder(cells.filter((cell) => cell.log === log)),
    logs: inOrder(cells.filter((cell) => cell.metric === metric && cell.log !== facts.all)),
  };
}

// The windows of the log and their ratios; none over all logs, and by metrics that depend on few jobs.
const windowsOf = () => facts.windows[choice.log.value]?.[choice.metric.value] ?? { windows: [], ratios: {} };

// Ratios by window of the selected policies, else of the first three.
function rowsOfWindows(table) {
  const { windows, ratios } = windowsOf();
  const names = table.map(({ scheduler }) => scheduler).filter((name) => name in ratios);
  const others = names.filter((name) => name !== facts.same).slice(0, 3);
  return (chosen.size ? names.filter((name) => chosen.has(name)) : others).flatMap((scheduler) => windows.map(
    (window, place) => ({ scheduler, window, ratio: ratios[scheduler][place], is_open: String(window) === openWindow })));
}

// List the windows of the log; the one that was chosen before stays chosen if the log has it.
function listWindows() {
  const numbers = windowsOf().windows.map(String);
  byId("window").replaceChildren(...numbers.map((number) => make("option", { value: number, textContent: number })));
  if (!numbers.includes(openWindow)) openWindow = numbers[0] ?? openWindow;
  byId("window").value = openWindow;
}

function openThe(window) {
  openWindow = String(window);
  byId("window").value = openWindow;
  select();
}

// The color in which all pages show a grade.
function colorOf(grade) {
  const mark = make("span", { className: `g-${grade.replace(" ", "-")}` });
  document.body.append(mark);
  const { backgroundColor } = getComputedStyle(mark);
  mark.remove();
  return backgroundColor;
}

// The chart of numbers has logarithmic axes if all numbers are positive.
function scaled(spec, rows) {
  const type = rows.every(({ published, computed }) => published > 0 && computed > 0) ? "log" : "linear";
  const copy = structuredClone(spec);
  for (const { encoding } of copy.layer) {
    for (const axis of [encoding.x, encoding.y]) Object.assign(axis.scale, { type }, type === "linear" && { zero: false });
  }
  return copy;
}

// A logarithmic axis has no place for a ratio of 0.
const drawnRows = (rows, name) => (name === "windows" ? rows.windows.filter(({ ratio }) => ratio > 0) : rows[name]);

function look() {
  const style = getComputedStyle(document.documentElement);
  const [ink, quiet, line] = ["--ink", "--quiet", "--line"].map((name) => style.getPropertyValue(name).trim());
  const axis = { labelColor: ink, titleColor: ink, gridColor: line, domainColor: quiet, tickColor: quiet,
    labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 140 };
  return { background: null, font: "sans-serif", axis, legend: { labelColor: ink, labelFontSize: 12 },
    range: { category: facts.grades.map(colorOf) },
    view: { stroke: null }, rule: { color: ink }, text: { color: ink, fontSize: 10.5 } };
}

// Draw everything again, after another log or metric, or in other colors.
async function draw() {
  for (const view of Object.values(views)) view.finalize();
  listWindows();
  const rows = rowsOf(), config = look();
  const hasWindows = drawnRows(rows, "windows").length > 0;
  byId("windows").closest(".charts").hidden = !hasWindows;
  const shown = Object.entries(facts.charts).filter(([name]) => name !== "windows" || hasWindows);
  const drawn = await Promise.all(shown.map(async ([name, chart]) => {
    const spec = name === "numbers" ? scaled(chart, rows.numbers) : chart;
    const actions = { export: true, source: false, compiled: false, editor: false };
    const options = { config, actions, renderer: "svg", logLevel: 1 /* errors alone */, downloadFileName: name };
    const height = spec.height ?? facts.step * new Set(rows[name].map(({ scheduler }) => scheduler)).size;
    const { view } = await vegaEmbed(byId(name), { ...spec, height, datasets: { rows: drawnRows(rows, name) } }, options);
    // Screen readers get the table, which has the same numbers and selects as well.
    byId(name).querySelector("svg.marks").setAttribute("aria-hidden", "true");
    byId(name).querySelector("summary").ariaLabel = "Save this chart";
    // a line belongs to no single window
    view.addEventListener("click", (_, item) => click(item?.mark.marktype === "line" ? {} : item?.datum ?? {}));
    return [name, view];
  }));
  views = Object.fromEntries(drawn);
  views.pairs.addSignalListener("brush", (_, { ratio, other }) => {
    chosen.clear();
    const inside = ([a, b], value) => value >= Math.min(a, b) && value <= Math.max(a, b);
    for (const row of ratio && other ? rowsOf().pairs : []) {
      if (inside(ratio, row.ratio) && inside(other, row.other)) chosen.add(row.scheduler);
    }
    select();
  });
  fill(rows);
  document.documentElement.dataset.ready = "yes";
}

// Show the selection in the charts that are drawn already, unless they lose or get rows.
function select() {
  const rows = rowsOf();
  const hasWindows = drawnRows(rows, "windows").length > 0;
  if (choice.only.checked || hasWindows !== ("windows" in views)) return draw();
  for (const [name, view] of Object.entries(views)) view.data("rows", drawnRows(rows, name)).runAsync();
  fill(rows);
}

// A mark of the chart of windows chooses its window, any other one selects its policy.
function click({ scheduler, value, window }) {
  if (window === undefined) toggle(scheduler ?? value);
  else openThe(window);
}

function toggle(scheduler) {
  if (!cells.some((cell) => cell.scheduler === scheduler)) return;
  if (!chosen.delete(scheduler)) chosen.add(scheduler);
  select();
}

function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// The ratios in a window, and the page of its schedules.
function wordsOfWindow(log, rows) {
  const ratios = rows.filter((row) => row.is_open).map((row) => `${row.scheduler} ${digits(row.ratio)}`);
  const back = new URLSearchParams({ window: openWindow, back: location.hash.slice(1) });
  const href = `${facts.schedules[log]}#${back}`;
  const there = facts.shown[log], lacking = [...chosen].filter((name) => !there.includes(name));
  const others = lacking.length ? `; not ${lacking.join("; ")}` : "";
  return [`Window ${openWindow}. Ratio to EASY: ${ratios.join(", ") || "no selected policy ran on this log"}. `,
    make("a", { href, textContent: "Open the schedules of this window, job by job" }), ` (${there.join("; ")}${others}).`];
}

function fillWindows(rows) {
  const names = [...new Set(rows.map(({ scheduler }) => scheduler))];
  const numbers = [...new Set(rows.map(({ window }) => window))];
  const cell = (tag, properties) => make(tag, { className: "number", ...properties });
  byId("heads-of-windows").replaceChildren(make("th", { scope: "col", textContent: "Window" }),
    ...names.map((name) => cell("th", { scope: "col", textContent: marked(name) })));
  byId("rows-of-windows").replaceChildren(...numbers.map((number) => make("tr", {},
    make("th", { scope: "row", textContent: number }),
    ...rows.filter(({ window }) => window === number).map(({ ratio }) => cell("td", { textContent: digits(ratio) })))));
}

function fillNumbers(numbers) {
  byId("rows-of-numbers")?.replaceChildren(...numbers.map((row) => make("tr", {},
    make("th", { scope: "row", textContent: row.cell }),
    make("td", { className: "number", textContent: row.published_text }),
    make("td", { className: "number", textContent: row.computed_text }),
    make("td", {}, make("a", { href: row.href, textContent: row.grade })))));
}

// Everything that is not a chart: words, the table and the address.
function fill(rows) {
  const { table } = rows;
  const log = choice.log.value, metric = choice.metric.value;
  const words = { log, metric: facts.labels[metric], other: facts.labels[choice.other.value], unit: facts.units[metric],
    board: byId("board")?.value };
  for (const [name, word] of Object.entries(words)) {
    for (const place of document.querySelectorAll(`[data-${name}]`)) place.textContent = word;
  }
  const focused = document.activeElement?.dataset?.policy;
  // over all logs there are ratios and ranks, and no values
  const hasValues = table.some((row) => row.mean !== null);
  byId("value").hidden = !hasValues;
  byId("policies").replaceChildren(...table.map((row) => {
    const box = make("input", { type: "checkbox", checked: chosen.has(row.scheduler) });
    box.dataset.policy = row.scheduler;
    box.addEventListener("change", () => toggle(row.scheduler));
    const numbers = [digits(row.ratio), row.low === null ? "–" : `${digits(row.low)} to ${digits(row.high)}`,
      row.verdict || "–", digits(row.rank), ...hasValues ? [digits(row.mean)] : [], digits(row.other)];
    return make("tr", { className: chosen.has(row.scheduler) ? "chosen" : "" },
      make("th", { scope: "row" }, make("label", {}, box, marked(row.scheduler))),
      ...numbers.map((textContent, place) => make("td", { textContent, className: place === 2 ? "" : "number" })));
  }));
  document.querySelector(`[data-policy="${CSS.escape(focused ?? "")}"]`)?.focus();
  const count = (verdict) => table.filter((row) => row.verdict === verdict).length;
  const verdicts = table.some((row) => row.verdict) ? `${count("better")} of ${table.length} policies are better than EASY, `
    + `${count("worse")} worse` : "few jobs decide this metric, so it has no verdicts";
  byId("summary").textContent = `By ${words.metric} on ${log}: ${verdicts}. `
    + (chosen.size ? `Selected: ${[...chosen].join(", ")}.` : "No policy is selected.");
  fillNumbers(rows.numbers);
  fillWindows(rows.windows);
  const hasWindows = windowsOf().windows.length > 0;
  const kept = new URLSearchParams({ log, metric, other: choice.other.value });
  for (const name of chosen) kept.append("policies", name);
  if (hasWindows) kept.set("window", openWindow);
  history.replaceState(null, "", `#${kept}`);
  byId("schedules").replaceChildren(...hasWindows ? wordsOfWindow(log, rows.windows)
    : ["Choose one log, and a metric that is compared over windows."]);
}

for (const name of ["log", "metric", "other"]) {
  const value = address.get(name);
  if ([...choice[name].options].some((option) => option.value === value)) choice[name].value = value;
}
for (const name of address.getAll("policies")) if (cells.some(({ scheduler }) => scheduler === name)) chosen.add(name);
byId("choice").addEventListener("change", draw);
byId("window").addEventListener("change", (event) => openThe(event.target.value));
byId("board")?.addEventListener("change", draw);
byId("choice").addEventListener("submit", (event) => event.preventDefault());
byId("clear").addEventListener("click", () => {
  chosen.clear();
  draw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();
