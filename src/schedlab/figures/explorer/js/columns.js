// From afar: columns, a pixel wide, of the processors in use on average, by kind.

// Fill from `bottom` up to heights, a pixel each: one shape, which browsers fill faster than a
// thousand boxes.
function fillUnder(pen, heights, left, bottom, scale) {
  pen.beginPath();
  pen.moveTo(left, bottom);
  for (let column = 0; column < heights.length; column++) {
    const y = bottom - heights[column] * scale;
    pen.lineTo(left + column, y);
    pen.lineTo(left + column + 1, y);
  }
  pen.lineTo(left + heights.length, bottom);
  pen.fill();
}

// Kinds lie on top of each other: each shape reaches down to the bottom, the highest drawn first.
function drawColumns(pen, pane, view, colours) {
  const { left, top, width, height } = pane.box;
  const count = Math.max(Math.round(width), 1);
  const means = meansOf(pane.running, view.from, (view.until - view.from) / count, count);
  for (let at = count; at < means.length; at++) means[at] += means[at - count];
  for (let kind = KINDS - 1; kind >= 0; kind--) {
    pen.fillStyle = colours.kinds[kind];
    const heights = means.subarray(kind * count, (kind + 1) * count);
    fillUnder(pen, heights, left, top + height, height / view.processors);
  }
}

// Waiting jobs on average over each pixel.
function queueOf(pane, view) {
  const count = Math.max(Math.round(pane.box.width), 1);
  return meansOf(pane.waiting, view.from, (view.until - view.from) / count, count);
}

// The strip above a pane: how many jobs wait, on the scale of the pane where most do.
function drawQueue(pen, pane, means, most, colours) {
  const { left } = pane.box, high = pane.strip;
  pen.fillStyle = colours.queue;
  fillUnder(pen, means, left, high, high / most);
  pen.fillStyle = colours.faint;
  pen.textAlign = "right";
  pen.textBaseline = "top";
  pen.fillText(most < 10 ? most.toFixed(1) : shortNumber(Math.round(most)), left - 5, 1);
  pen.textBaseline = "middle";
  if (high > 20) pen.fillText("queue", left - 5, high - 6);
}
