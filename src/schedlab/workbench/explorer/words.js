// Numbers as a reader says them.

const grouped = (value, digits = 0) =>
  value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });

const shortNumber = (value) => (value >= 10000 ? `${+(value / 1000).toFixed(1)}k` : String(value));

const two = (value) => String(Math.floor(value)).padStart(2, "0");

// A length of time: the two units that matter.
function lengthWords(seconds) {
  const s = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (s < MINUTE) return `${sign}${+s.toFixed(s % 1 ? 1 : 0)} s`;
  if (s < HOUR) return `${sign}${Math.floor(s / MINUTE)} min ${Math.floor(s % MINUTE)} s`;
  if (s < DAY) return `${sign}${Math.floor(s / HOUR)} h ${Math.floor((s % HOUR) / MINUTE)} min`;
  return `${sign}${Math.floor(s / DAY)} d ${Math.floor((s % DAY) / HOUR)} h`;
}

// An instant, counted from the first submission.
function instantWords(seconds) {
  const s = Math.max(seconds, 0), clock = `${two((s % DAY) / HOUR)}:${two((s % HOUR) / MINUTE)}`;
  return `d ${Math.floor(s / DAY)}, ${clock}:${two(s % MINUTE)}`;
}

function tickWords(at, step) {
  if (step >= DAY) return `d ${Math.round(at / DAY)}`;
  const day = Math.floor(at / DAY), s = at - day * DAY;
  if (Math.abs(s) < 0.5) return `d ${day}`;
  const clock = `${two(s / HOUR)}:${two((s % HOUR) / MINUTE)}`;
  return step < MINUTE ? `${clock}:${two(s % MINUTE)}` : clock;
}
