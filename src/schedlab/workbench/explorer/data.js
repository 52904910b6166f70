// The page's numbers: columns of typed arrays, one place a job, and a model of every schedule.

const byId = (id) => document.getElementById(id);
const facts = JSON.parse(byId("facts").textContent);
const ARRAYS = { f8: Float64Array, i4: Int32Array, u2: Uint16Array, u1: Uint8Array };

async function unpack() {
  const text = atob(byId("columns").textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  byId("columns").remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const columns = {};
  let at = 0;
  for (const [name, kind, length] of facts.columns) {
    columns[name] = new ARRAYS[kind](bytes, at, length);
    at += columns[name].byteLength;
  }
  return columns;
}

// Places of a column's numbers, smallest number first, equal ones by place.
function sorted(column) {
  const order = Uint32Array.from(column, (_, place) => place);
  return order.sort((a, b) => column[a] - column[b] || a - b);
}

function scheduleOf(place, jobs) {
  const of = (name) => jobs.columns[name + place];
  const start = of("start"), end = of("end"), count = jobs.count;
  const wait = new Float64Array(count), slowdown = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    wait[j] = start[j] - jobs.submit[j];
    const runtime = jobs.runtime[j];
    slowdown[j] = Math.max((wait[j] + runtime) / Math.max(runtime, facts.tau), 1);
  }
  const job = of("job");
  const firstPiece = new Int32Array(count).fill(-1);
  for (let piece = job.length - 1; piece >= 0; piece--) firstPiece[job[piece]] = piece;
  return {
    place, name: facts.schedules[place].name, start, end, wait, slowdown,
    job, low: of("low"), height: of("height"), firstPiece,
    byStart: sorted(start), byEnd: sorted(end),
  };
}

function readJobs(columns) {
  const { number, submit, runtime, estimate, procs, user } = columns;
  const placeOf = new Map();
  number.forEach((each, place) => placeOf.has(each) || placeOf.set(each, place));
  return { columns, count: number.length, number, submit, runtime, estimate, procs, user, placeOf };
}
