// The whole of the first schedule, once, and the part of it that the panes show.

function overviewOf(canvas) {
  return { canvas, pen: canvas.getContext("2d"), picture: document.createElement("canvas"), drawn: "" };
}

function drawOverview(overview, state) {
  const { canvas, pen } = overview, { view, colors, panes } = state;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const wanted = `${width} ${height} ${ratio} ${state.color} ${colors.paper}`;
  if (overview.drawn !== wanted && width) {
    overview.drawn = wanted;
    for (const each of [canvas, overview.picture]) {
      each.width = width * ratio;
      each.height = height * ratio;
    }
    const brush = overview.picture.getContext("2d");
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.fillStyle = colors.empty;
    brush.fillRect(0, 0, width, height);
    const whole = { from: view.first, until: view.last, processors: view.processors };
    const box = { left: 0, top: 2, width, height: height - 2 };
    drawColumns(brush, { box, ratio, running: panes[0].running }, whole, colors);
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(overview.picture, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const scale = width / (view.last - view.first);
  const from = (view.from - view.first) * scale, until = (view.until - view.first) * scale;
  pen.globalAlpha = 0.55;
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, from, height);
  pen.fillRect(until, 0, width - until, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 2;
  pen.strokeRect(Math.max(from, 1), 1, Math.max(until - from - 2, 2), height - 2);
}
