// Measures itself: with #bench in the address the page zooms and pans by itself, then leaves in
// document.documentElement.dataset.bench how long frames took, in milliseconds: `boxes` and `columns`
// are the time from asking for a frame of that kind until its pixels are there (one of every pane is
// read back, which waits for them), `apart` is the time between frames as the browser shows them.

function summed(times) {
  const order = Float64Array.from(times).sort();
  const at = (share) => +order[Math.min(Math.floor(share * order.length), order.length - 1)].toFixed(2);
  return { frames: order.length, median: at(0.5), p95: at(0.95), most: at(1) };
}

async function bench(state, drawAll) {
  const { view, panes } = state, drawn = { boxes: [], columns: [] }, apart = [];
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let last = null;
  const frame = (move) => new Promise((done) => requestAnimationFrame((now) => {
    if (last !== null) apart.push(now - last);
    last = now;
    move();
    const before = performance.now();
    drawAll();
    for (const { canvas } of panes) probe.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    probe.getImageData(0, 0, 1, 1);
    const kind = panes.some(({ pieces }) => pieces) ? "boxes" : "columns";
    drawn[kind].push(performance.now() - before);
    done();
  }));
  showAll(view);
  const whole = view.until - view.from;
  const middle = view.first + whole * 0.4;
  const closer = Math.exp(Math.log(Math.min(1, HOUR / whole)) / 100);
  for (let step = 0; step < 100; step++) await frame(() => zoomTime(view, closer, middle));
  for (const shown of [1, 0.3, 0.1, 0.03, 0.01, 0.003]) {
    Object.assign(view, { from: middle, until: middle + whole * shown });
    clampView(view);
    for (let step = 0; step < 40; step++) {
      await frame(() => panView(view, (view.until - view.from) * (step < 20 ? 0.02 : -0.02), 0));
    }
  }
  for (let step = 0; step < 100; step++) await frame(() => zoomTime(view, 1 / closer, middle));
  const found = { apart: summed(apart) };
  for (const kind of ["boxes", "columns"]) if (drawn[kind].length) found[kind] = summed(drawn[kind]);
  return found;
}
