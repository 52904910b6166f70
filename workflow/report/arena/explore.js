// Fill the charts and the table from the choices of the form, and link their selections.
"use strict";
const byId = (id) => document.getElementById(id);
const facts = JSON.parse(byId("facts").textContent);
const { columns, data } = facts.cells;
const cells = data.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]])));
const choice = byId("choice").elements;
const chosen = new Set();
let views = {};

// Three significant digits; whole numbers from 1000 on.
const digits = (value) => (value === null ? "–" : Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en")
  : value.toPrecision(3));

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
  return {
    table, ratios: rated, ranks: table, pairs: rated.filter(({ other }) => other > 0),
    metrics: inOrder(cells.filter((cell) => cell.log === log)),
    logs: inOrder(cells.filter((cell) => cell.metric === metric && cell.log !== facts.all)),
  };
}

function look() {
  const style = getComputedStyle(document.documentElement);
  const [ink, quiet, line] = ["--ink", "--quiet", "--line"].map((name) => style.getPropertyValue(name).trim());
  const axis = { labelColor: ink, titleColor: ink, gridColor: line, domainColor: quiet, tickColor: quiet,
    labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 140 };
  return { background: null, font: "sans-serif", axis, legend: { labelColor: ink, labelFontSize: 12 },
    view: { stroke: null }, rule: { color: ink }, text: { color: ink, fontSize: 10.5 } };
}

// Draw everything again, after another log or metric, or in other colors.
async function draw() {
  for (const view of Object.values(views)) view.finalize();
  const rows = rowsOf(), config = look();
  const drawn = await Promise.all(Object.entries(facts.charts).map(async ([name, spec]) => {
    const actions = { export: true, source: false, compiled: false, editor: false };
    const options = { config, actions, renderer: "svg", logLevel: 1 /* errors alone */, downloadFileName: name };
    const height = spec.height ?? facts.step * new Set(rows[name].map(({ scheduler }) => scheduler)).size;
    const { view } = await vegaEmbed(byId(name), { ...spec, height, datasets: { rows: rows[name] } }, options);
    // Screen readers get the table, which has the same numbers and selects as well.
    byId(name).querySelector("svg.marks").setAttribute("aria-hidden", "true");
    byId(name).querySelector("summary").ariaLabel = "Save this chart";
    view.addEventListener("click", (_, item) => toggle(item?.datum?.scheduler ?? item?.datum?.value));
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
  if (choice.only.checked) return draw();
  const rows = rowsOf();
  for (const [name, view] of Object.entries(views)) view.data("rows", rows[name]).runAsync();
  fill(rows);
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

// Everything that is not a chart: words, the table and the address.
function fill({ table }) {
  const log = choice.log.value, metric = choice.metric.value;
  const words = { log, metric: facts.labels[metric], other: facts.labels[choice.other.value], unit: facts.units[metric] };
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
      make("th", { scope: "row" }, make("label", {}, box, row.scheduler)),
      ...numbers.map((textContent, place) => make("td", { textContent, className: place === 2 ? "" : "number" })));
  }));
  document.querySelector(`[data-policy="${CSS.escape(focused ?? "")}"]`)?.focus();
  const count = (verdict) => table.filter((row) => row.verdict === verdict).length;
  const verdicts = table.some((row) => row.verdict) ? `${count("better")} of ${table.length} policies are better than EASY, `
    + `${count("worse")} worse` : "few jobs decide this metric, so it has no verdicts";
  byId("summary").textContent = `By ${words.metric} on ${log}: ${verdicts}. `
    + (chosen.size ? `Selected: ${[...chosen].join(", ")}.` : "No policy is selected.");
  const links = (facts.schedules[log] ?? []).map(([href, label]) => make("a", { href, textContent: label }));
  byId("schedules").replaceChildren(...links.length ? ["One window of this log in Table 4 of carastan2017, job by job: ", ...links] : []);
  const kept = new URLSearchParams({ log, metric, other: choice.other.value });
  if (chosen.size) kept.set("policies", [...chosen].join(","));
  history.replaceState(null, "", `#${kept}`);
}

const asked = new URLSearchParams(location.hash.slice(1));
for (const name of ["log", "metric", "other"]) {
  const value = asked.get(name);
  if ([...choice[name].options].some((option) => option.value === value)) choice[name].value = value;
}
for (const name of (asked.get("policies") ?? "").split(",").filter(Boolean)) chosen.add(name);
byId("choice").addEventListener("change", draw);
byId("choice").addEventListener("submit", (event) => event.preventDefault());
byId("clear").addEventListener("click", () => {
  chosen.clear();
  draw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();
