// The panel about one job: its facts, a column a schedule, and why it waited in each.

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function jobLink(jobs, i, open) {
  const link = element("a", { textContent: jobs.number[i], href: `#job=${jobs.number[i]}` });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open(i);
  });
  return link;
}

function factRow(label, name, cells) {
  const row = element("tr", {}, element("th", { textContent: label, scope: "row" }));
  for (const [value, words] of cells) {
    const cell = element("td", { textContent: words });
    // What is the same in all schedules stands once.
    if (cells.length < facts.schedules.length) cell.colSpan = facts.schedules.length;
    cell.dataset.field = name;
    cell.dataset.value = value;
    row.append(cell);
  }
  return row;
}

function factsTable(jobs, j, found) {
  const table = element("table", {});
  const head = element("tr", {}, element("th", {}));
  for (const { name } of facts.schedules) head.append(element("th", { textContent: name }));
  const per = (name, words) => found.map((each) => [each[name], words(each[name])]);
  const once = (value, words) => [[value, words]];
  const body = element("tbody", {},
    factRow("submitted", "submit", once(jobs.submit[j], instantWords(jobs.submit[j]))),
    factRow("processors", "procs", once(jobs.procs[j], grouped(jobs.procs[j]))),
    factRow("run time", "runtime", once(jobs.runtime[j], lengthWords(jobs.runtime[j]))),
    factRow("estimate", "estimate", once(jobs.estimate[j], lengthWords(jobs.estimate[j]))));
  if (jobs.user) {
    const user = jobs.user[j] < 0 ? "unknown" : jobs.user[j];
    body.append(factRow("user", "user", once(jobs.user[j], user)));
  }
  body.append(
    factRow("started", "start", per("start", instantWords)),
    factRow("ended", "end", per("end", instantWords)),
    factRow("wait", "wait", per("wait", lengthWords)),
    factRow("bounded slowdown", "slowdown", per("slowdown", (value) => grouped(value, 2))),
    factRow("free when it came", "free", per("free", (value) => grouped(value))),
    factRow("waited already", "queue", per("queue", (value) => grouped(value))),
    factRow("of these, ran first", "ahead", found.map(({ ahead: { length } }) => [length, grouped(length)])),
    factRow("came later, ran first", "overtakers",
      found.map(({ overtakers: { length } }) => [length, grouped(length)])),
    factRow("it overtook", "overtaken", per("overtaken", (value) => grouped(value))),
    factRow("room, but not started", "room", per("room", (value) => (value ? lengthWords(value) : "never"))),
  );
  table.append(element("thead", {}, head), body);
  return table;
}

function jobList(heading, list, schedule, jobs, open) {
  const head = element("tr", {},
    ...["job", "processors", "ran for", "started"].map((name) => element("th", { textContent: name })));
  const rows = list.slice(0, LISTED).map((i) => element("tr", {},
    element("td", {}, jobLink(jobs, i, open)),
    element("td", { textContent: grouped(jobs.procs[i]) }),
    element("td", { textContent: lengthWords(schedule.end[i] - schedule.start[i]) }),
    element("td", { textContent: instantWords(schedule.start[i]) })));
  const table = element("table", { className: "list" }, element("thead", {}, head), element("tbody", {}, ...rows));
  const more = list.length > LISTED ? `, the largest ${LISTED} of ${grouped(list.length)}` : "";
  return [element("p", { textContent: `${heading}${more}:` }), table];
}

const jobsWords = (count) => `${grouped(count)} ${count === 1 ? "job" : "jobs"}`;
const hoursWords = (area) => (area < 0.05 * HOUR ? "under 0.1 core-hours"
  : `${grouped(area / HOUR, area < 10 * HOUR ? 1 : 0)} core-hours`);

function whyWords(each, jobs, j) {
  const wanted = jobs.procs[j];
  if (!each.wait) return ["It started as it came."];
  const sentences = [];
  const free = `${grouped(each.free)} of ${grouped(facts.processors)} processors were free when it came`;
  if (each.free < wanted) sentences.push(`${free}, too few for its ${grouped(wanted)}.`);
  else sentences.push(`${free}, enough for its ${grouped(wanted)}: others were in front of it.`);
  const first = [];
  if (each.ahead.length) {
    first.push(`${jobsWords(each.ahead.length)} that waited already (${hoursWords(each.aheadArea)})`);
  }
  if (each.overtakers.length) {
    first.push(`${jobsWords(each.overtakers.length)} that came later (${hoursWords(each.overtakersArea)})`);
  }
  if (first.length) sentences.push(`In front of it went ${first.join(" and ")}.`);
  if (each.room) {
    sentences.push(`It was passed over: for ${lengthWords(each.room)} of its wait enough processors stood free, ` +
      `first at ${instantWords(each.since)}; the order, or a reservation, held it back.`);
  } else {
    const most = each.mostFree ? `at most ${grouped(each.mostFree)} were` : "none were";
    sentences.push(`At no time while it waited were enough processors left free; ${most}.`);
  }
  if (each.released.length) {
    sentences.push(`It started as ${jobsWords(each.released.length)} ended and freed ` +
      `${grouped(each.releasedProcs)} processors.`);
  }
  return sentences;
}

function showAutopsy(state, j, open, close) {
  const { jobs, panes } = state;
  const found = panes.map((pane) => autopsy(pane, jobs, j));
  const shut = element("button", { textContent: "×", ariaLabel: "Close" });
  shut.addEventListener("click", close);
  const parts = [element("h2", {}, `Job ${jobs.number[j]}`, shut), factsTable(jobs, j, found)];
  found.forEach((each, place) => {
    const { schedule } = panes[place];
    parts.push(element("h3", { textContent: `Under ${schedule.name}` }));
    for (const words of whyWords(each, jobs, j)) parts.push(element("p", { textContent: words }));
    if (!each.wait) return;
    const lists = [["In front of it", each.ahead], ["Came later and ran first", each.overtakers]];
    for (const [heading, list] of lists) {
      if (list.length) parts.push(...jobList(heading, list, schedule, jobs, open));
    }
  });
  if (found.length > 1) {
    const waits = found.map(({ wait }) => wait);
    const gain = waits[0] - waits[1], [one, other] = facts.schedules;
    const words = gain ? `${lengthWords(Math.abs(gain))} ${gain > 0 ? "earlier" : "later"} than` : "at the same time as";
    parts.splice(2, 0, element("p", { textContent: `Under ${other.name} it starts ${words} under ${one.name}.` }));
  }
  const panel = byId("autopsy");
  panel.dataset.job = jobs.number[j];
  panel.replaceChildren(...parts);
  panel.hidden = false;
  document.body.classList.add("reading");
  panel.scrollTop = 0;
}
