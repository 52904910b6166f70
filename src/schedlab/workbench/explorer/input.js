// Mouse, touch and keys.

const NEAR = 6; // pixels that a press may wander and still be a click

function timeAt(pane, view, x) {
  return view.from + ((x - pane.box.left) / pane.box.width) * (view.until - view.from);
}

function laneAt(pane, view, y) {
  const { top, height } = pane.box;
  return view.low + ((top + height - y) / height) * (view.high - view.low);
}

// The job under a point, -1 where there is none; the last drawn lies on top.
function jobAt(pane, view, x, y) {
  if (!pane.pieces) return -1;
  const { schedule } = pane, at = timeAt(pane, view, x), lane = laneAt(pane, view, y);
  const slack = (2 * (view.until - view.from)) / pane.box.width;
  let near = -1;
  for (const piece of pane.pieces) {
    const j = schedule.job[piece], low = schedule.low[piece];
    if (lane < low || lane >= low + schedule.height[piece]) continue;
    if (at >= schedule.start[j] && at < schedule.end[j]) return j;
    if (at >= schedule.start[j] - slack && at < schedule.end[j] + slack) near = j;
  }
  return near;
}

function listenToPane(pane, state, act) {
  const { canvas } = pane, { view } = state, fingers = new Map();
  let moved = 0;
  const place = (event) => {
    const frame = canvas.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const perPixel = () => (view.until - view.from) / pane.box.width;
  const lanesPerPixel = () => (view.high - view.low) / pane.box.height;
  canvas.addEventListener("pointerdown", (event) => {
    if (!fingers.size) moved = 0;
    fingers.set(event.pointerId, place(event));
    canvas.setPointerCapture?.(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event), was = fingers.get(event.pointerId);
    if (!was) return act.hover(pane, now, event);
    const dx = now.x - was.x, dy = now.y - was.y;
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 1 && moved > NEAR) {
      canvas.classList.add("dragged");
      panView(view, -dx * perPixel(), dy * lanesPerPixel());
    } else if (fingers.size === 2) {
      const [[, other]] = [...fingers].filter(([id]) => id !== event.pointerId);
      pinch(was, now, other);
    }
    fingers.set(event.pointerId, now);
    act.leave();
    act.redraw();
  });
  // Two fingers next to each other zoom time, one above the other processors.
  function pinch(was, now, other) {
    const wide = Math.abs(was.x - other.x), tall = Math.abs(was.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (wide >= tall) {
      const factor = Math.max(wide, 8) / Math.max(Math.abs(now.x - other.x), 8);
      zoomTime(view, factor, timeAt(pane, view, middle.x));
    } else {
      const factor = Math.max(tall, 8) / Math.max(Math.abs(now.y - other.y), 8);
      zoomLanes(view, factor, laneAt(pane, view, middle.y));
    }
    panView(view, (-(now.x - was.x) / 2) * perPixel(), ((now.y - was.y) / 2) * lanesPerPixel());
  }
  const release = (event) => {
    const at = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    canvas.classList.remove("dragged");
    if (event.type === "pointerup" && at && !fingers.size && moved <= NEAR) act.click(pane, at);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => act.leave());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = place(event), turned = event.deltaMode ? event.deltaY * 30 : event.deltaY;
    if (Math.abs(event.deltaX) > Math.abs(turned) && !event.shiftKey) {
      panView(view, event.deltaX * perPixel(), 0);
    } else if (event.shiftKey) {
      zoomLanes(view, Math.exp((turned || event.deltaX) * 0.002), laneAt(pane, view, at.y));
    } else {
      zoomTime(view, Math.exp(turned * 0.002), timeAt(pane, view, at.x));
    }
    act.leave();
    act.redraw();
  }, { passive: false });
}

function listenToOverview(canvas, state, act) {
  const { view } = state;
  const move = (event) => {
    if (!event.buttons) return;
    const frame = canvas.getBoundingClientRect();
    const at = view.first + ((event.clientX - frame.left) / frame.width) * (view.last - view.first);
    panView(view, at - (view.from + view.until) / 2, 0);
    act.redraw();
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture?.(event.pointerId);
    move(event);
  });
  canvas.addEventListener("pointermove", move);
}

function listenToKeys(state, act) {
  const { view } = state;
  const middle = () => (view.from + view.until) / 2, lane = () => (view.low + view.high) / 2;
  const aside = (share) => panView(view, (view.until - view.from) * share, 0);
  const upwards = (share) => panView(view, 0, (view.high - view.low) * share);
  const keys = {
    "+": () => zoomTime(view, 1 / 1.5, middle()),
    "=": () => zoomTime(view, 1 / 1.5, middle()),
    "-": () => zoomTime(view, 1.5, middle()),
    "]": () => zoomLanes(view, 1 / 1.5, lane()),
    "[": () => zoomLanes(view, 1.5, lane()),
    ArrowLeft: () => aside(-0.15),
    ArrowRight: () => aside(0.15),
    ArrowUp: () => upwards(0.15),
    ArrowDown: () => upwards(-0.15),
    Home: () => panView(view, view.first - view.from, 0),
    End: () => panView(view, view.last - view.until, 0),
    0: () => act.everything(),
    n: () => act.step(1),
    p: () => act.step(-1),
    "/": () => byId("number").focus(),
    "?": () => byId("help").showModal(),
    Escape: () => act.close(),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, dialog, aside");
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (typing && event.key !== "Escape") return;
    event.preventDefault();
    keys[event.key]();
    act.redraw();
  });
}
