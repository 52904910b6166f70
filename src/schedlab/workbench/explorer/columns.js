// From afar: columns, a pixel wide, of the processors in use on average, by kind.

// Means over the pixels of a box, kind after kind.
function meansInSight(steps, pane, view) {
  const count = Math.max(Math.round(pane.box.width * pane.ratio), 1);
  return meansOf(steps, view.from, (view.until - view.from) / count, count);
}

// A color #rrggbb as a pixel of an image.
function pixelOf(color) {
  const value = parseInt(color.slice(1), 16);
  const red = value >> 16, green = (value >> 8) & 255, blue = value & 255;
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// Pixels are written one by one: how long that takes does not depend on what is shown, where
// thousands of boxes, or one shape with thousands of corners, would take a whole frame.
function paintColumns(pen, pane, name, { left, top, width, height }, means, most, inks, empty) {
  const { ratio } = pane;
  const count = Math.max(Math.round(width * ratio), 1), rows = Math.max(Math.round(height * ratio), 1);
  pane.images ??= {};
  let image = pane.images[name];
  if (image?.width !== count || image.height !== rows) image = pane.images[name] = pen.createImageData(count, rows);
  const pixels = new Uint32Array(image.data.buffer).fill(empty);
  for (let column = 0; column < count; column++) {
    let row = rows, sum = 0;
    for (let kind = 0; kind < inks.length; kind++) {
      sum += means[kind * count + column];
      const until = rows - Math.min(Math.round((sum / most) * rows), rows);
      while (row > until) pixels[--row * count + column] = inks[kind];
    }
  }
  pen.putImageData(image, Math.round(left * ratio), Math.round(top * ratio));
}

function drawColumns(pen, pane, view, colors) {
  const means = meansInSight(pane.running, pane, view);
  const inks = colors.kinds.map(pixelOf), empty = pixelOf(colors.empty);
  paintColumns(pen, pane, "running", pane.box, means, view.processors, inks, empty);
}

// The strip above a pane: how many jobs wait, on the scale of the pane where most do.
function drawQueue(pen, pane, most, colors) {
  const { left, width } = pane.box, height = pane.strip;
  const box = { left, top: 0, width, height };
  paintColumns(pen, pane, "waiting", box, pane.queue, most, [pixelOf(colors.queue)], pixelOf(colors.paper));
  pen.fillStyle = colors.faint;
  pen.textAlign = "right";
  pen.textBaseline = "top";
  pen.fillText(most < 10 ? most.toFixed(1) : shortNumber(Math.round(most)), left - 5, 1);
  pen.textBaseline = "middle";
  if (height > 20) pen.fillText("queue", left - 5, height - 6);
}
