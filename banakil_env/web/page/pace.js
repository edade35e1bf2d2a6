// How fast a game is shown: a time between two moves, slower and faster, and the buttons for it.

import { h } from "./dom.js";

const PACES = [5000, 3000, 2000, 1200, 600, 300, 100, 0]; // milliseconds between two moves, the slowest first

export const USUAL = 600;

/** The next pace in a direction: -1 is slower, 1 faster; the same at either end. */
export function nextPace(pace, direction) {
  const place = PACES.findIndex((each) => each <= pace);
  return PACES[Math.max(0, Math.min(place + direction, PACES.length - 1))];
}

export function paceText(pace) {
  return pace ? `${pace / 1000} s a move` : "at once";
}

/** The buttons: `change(pace, paused)` is called with what is wanted, `step()` for one move while it is paused. */
export function paceView({ pace, paused, over, change, step }) {
  const button = (key, label, act, disabled) => h("button", { type: "button", dataset: { key }, disabled, onclick: act }, label);
  return h("div", { class: "pace", role: "group", "aria-label": "Pace" },
    button("pause", paused ? "Play" : "Pause", () => change(pace, !paused), over),
    step ? button("step", "One move", step, over || !paused) : null,
    button("slower", "Slower", () => change(nextPace(pace, -1), paused), nextPace(pace, -1) === pace),
    button("faster", "Faster", () => change(nextPace(pace, 1), paused), nextPace(pace, 1) === pace),
    h("output", { class: "notes" }, paceText(pace)));
}
