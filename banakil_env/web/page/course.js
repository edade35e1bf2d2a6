// The course of a game: what a player expects for a seat at each step, as a curve and as a table, made while one looks.

import { choice, h } from "./dom.js";
import { post } from "./api.js";
import { pretty } from "./cards.js";
import { seatName } from "./board.js";
import { sentence, signed } from "./explanation.js";

const POLL = 500; // milliseconds between two questions for further steps
const HEIGHT = 118;
const ROOM = { left: 44, right: 12, top: 12, bottom: 16 };
const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
function s(tag, properties, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Course {
  /** `study` has the address, the number of moves, `go(at)`; `changed` is called when steps have come. */
  constructor(study, changed) {
    Object.assign(this, { study, changed, steps: [], found: null, timer: null, asked: 0, message: "", width: 900, over: null });
    const { forecasters, seats } = study.view;
    this.chosen = { player: forecasters[0]?.name, seat: study.view.toMove ?? seats[0].seat };
    this.element = h("section", { class: "panel course", "aria-labelledby": "course" });
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (!width || width === this.width) return;
      this.width = width;
      this.drawChart();
    }).observe(this.element);
    this.draw();
  }

  /** The losses that are known, by the number of the move. */
  get losses() {
    return new Map(this.steps.filter((step) => step.loss !== undefined).map((step) => [step.at, step]));
  }

  get called() {
    return (this.study.view.forecasters.find(({ name }) => name === this.chosen.player)?.label ?? "").split(",")[0];
  }

  /** "loses 4.2 ± 1.1 points by Expert's playouts; better: draw" */
  lossText(step) {
    return `loses ${step.loss.toFixed(1)} ± ${step.lossError.toFixed(1)} points by ${this.called}'s playouts; better: ${pretty(step.best)}`;
  }

  /** Ask for the course of the player and the seat that are chosen. */
  begin() {
    this.stop();
    Object.assign(this, { steps: [], found: null, message: "" });
    this.asking = true;
    this.draw();
    this.changed();
    this.look(++this.asked);
  }

  stop() {
    clearTimeout(this.timer);
    this.asking = false;
    this.asked += 1;
  }

  async look(number) {
    let found;
    try {
      found = await post(`/api/studies/${this.study.id}/course`, { ...this.chosen, since: this.steps.length });
    } catch (error) {
      if (number !== this.asked) return;
      this.stop();
      this.message = `The course cannot be made: ${error.message}`;
      this.draw();
      return;
    }
    if (number !== this.asked) return;
    this.found = found;
    this.steps.push(...found.steps);
    this.message = found.problem ? `The course cannot be made: ${found.problem}` : "";
    if (found.done) this.asking = false;
    else this.timer = setTimeout(() => this.look(number), POLL);
    this.draw();
    if (found.steps.length) this.changed();
  }

  /** The figures in the order of the game, rounds apart: points {at, value, error}, the last of a round its result. */
  get rounds() {
    const steps = [...this.steps].sort((a, b) => a.at - b.at);
    const results = this.found?.inPoints ? this.found.results : [];
    const rounds = [...results.map(({ at, margin }) => ({ to: at, result: { at, value: margin, error: null, ends: true } })), { to: Infinity, result: null }];
    let from = 0;
    return rounds.map(({ to, result }) => {
      const inside = steps.filter((step) => step.at >= from && step.at < to);
      from = to;
      return result ? [...inside, result] : inside;
    }).filter((points) => points.length);
  }

  draw() {
    const { view } = this.study;
    if (!view.forecasters.length) return;
    const open = this.element.querySelector("details")?.open ?? false;
    const back = this.place();
    const restart = (name) => (event) => {
      this.chosen[name] = name === "seat" ? Number(event.target.value) : event.target.value;
      if (this.found || this.asking) this.begin();
    };
    const player = choice("What does", view.forecasters.map(({ name, label }) => [name, label]), this.chosen.player,
      { dataset: { key: "course-player" }, onchange: restart("player") });
    const seat = choice("expect for", view.seats.map((each) => [each.seat, seatName(view, each.seat)]), this.chosen.seat,
      { dataset: { key: "course-seat" }, onchange: restart("seat") });
    const begun = this.found || this.asking;
    this.chart = h("div", { class: "chart" });
    this.reading = h("output", { class: "notes reading" });
    this.element.replaceChildren(
      h("div", { class: "course-head" }, h("h2", { id: "course" }, "Course of the game"), player.field, seat.field,
        begun ? null : h("button", { type: "button", class: "primary", dataset: { key: "course" }, onclick: () => this.begin() }, "Draw the curve"),
        begun ? [h("p", { class: "notes progress" }, this.progress()), this.reading] : null),
      h("p", { class: "problem", role: "alert" }, this.message),
      ...(begun ? [this.chart, this.table(open)] : []));
    this.drawChart();
    back();
  }

  /** Before the element is put into a page drawn anew: what gives focus and scroll position back afterwards. */
  place() {
    const key = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const scrolled = this.element.querySelector(".scrolls")?.scrollTop ?? 0;
    return () => {
      const rows = this.element.querySelector(".scrolls");
      if (rows) rows.scrollTop = scrolled;
      if (key !== undefined) this.element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    };
  }

  progress() {
    const { found, steps } = this;
    if (!found?.total) return this.asking ? "Thinking …" : "";
    const made = steps.length >= found.total ? "" : `${steps.length} of ${found.total} steps`;
    if (found.seconds) return `${made}; it stops after ${found.seconds} seconds of thinking`;
    return found.done ? "" : `${made} …`;
  }

  /** The figure at a step, in words. */
  reads(at) {
    const point = this.rounds.flat().find((each) => each.at === at);
    if (!point) return `Step ${at}`;
    const error = point.error ? ` ± ${point.error.toFixed(1)}` : "";
    const value = `${signed(point.value, this.found.inPoints ? 1 : 2)}${error}${this.found.inPoints ? " points" : ""}`;
    return `Step ${at}: ${point.ends ? "the round ends with " : ""}${value}`;
  }

  /** The same, and whether the move made there lost much. */
  words(at) {
    const lost = this.losses.get(at);
    return lost ? `${this.reads(at)}. ${pretty(this.study.log[at].text)} ${this.lossText(lost)}` : this.reads(at);
  }

  drawChart() {
    const { found, width, study } = this;
    if (!found || !this.chart) return;
    const { at } = study;
    const last = Math.max(1, study.log.length);
    const rounds = this.rounds;
    const all = rounds.flat();
    const [low, high, ticks] = scale(all);
    const x = (step) => ROOM.left + (step / last) * (width - ROOM.left - ROOM.right);
    const y = (value) => ROOM.top + ((high - value) / (high - low)) * (HEIGHT - ROOM.top - ROOM.bottom);
    const line = (points) => points.map(({ at: step, value }) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const band = (points) => [
      ...points.map((each) => ({ at: each.at, value: each.value + (each.error ?? 0) })),
      ...[...points].reverse().map((each) => ({ at: each.at, value: each.value - (each.error ?? 0) }))];
    const middle = this.step(all, at);
    const drawing = s("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true", focusable: "false" },
      ...ticks.flatMap((tick) => [
        s("line", { class: tick === 0 ? "zero" : "tick", x1: ROOM.left, x2: width - ROOM.right, y1: y(tick), y2: y(tick) }),
        s("text", { x: ROOM.left - 6, y: y(tick) + 4, "text-anchor": "end" }, tick === 0 ? "0" : signed(tick, Number.isInteger(tick) ? 0 : 1))]),
      s("text", { x: ROOM.left, y: HEIGHT - 3 }, "start"),
      s("text", { x: width - ROOM.right, y: HEIGHT - 3, "text-anchor": "end" }, `move ${study.log.length}`),
      ...rounds.map((points) => s("polygon", { class: "band", points: line(band(points)) })),
      ...rounds.map((points) => s("polyline", { class: "curve", points: line(points) })),
      s("line", { class: "here", x1: x(at), x2: x(at), y1: ROOM.top - 6, y2: HEIGHT - ROOM.bottom }),
      ...(middle ? [s("circle", { class: "here", cx: x(at), cy: y(middle.value), r: 4.5 })] : []),
      ...all.filter((step) => step.loss !== undefined).map((step) => s("path",
        { class: "lost", d: `M${x(step.at)} ${y(step.value) - 8}l6 -9h-12z` }, s("title", {}, this.words(step.at)))));
    this.reading.textContent = this.reads(at);
    const nearest = (event) => {
      const box = drawing.getBoundingClientRect();
      const share = ((event.clientX - box.left) * (width / box.width) - ROOM.left) / (width - ROOM.left - ROOM.right);
      return Math.max(0, Math.min(study.log.length, Math.round(share * last)));
    };
    const plot = h("div", {
      class: "plot", role: "slider", tabindex: "0", "aria-label": `What ${this.called} expects`, dataset: { key: "curve" },
      "aria-valuemin": "0", "aria-valuemax": String(study.log.length), "aria-valuenow": String(at), "aria-valuetext": this.words(at),
      onclick: (event) => study.jump(nearest(event)),
      onpointermove: (event) => { this.reading.textContent = this.reads(nearest(event)); },
      onpointerleave: () => { this.reading.textContent = this.reads(at); },
    }, drawing);
    const focused = this.chart.contains(document.activeElement);
    this.chart.replaceChildren(plot);
    if (focused) plot.focus({ preventScroll: true });
  }

  /** The point at a step, or between its neighbours. */
  step(all, at) {
    const before = all.filter((point) => point.at <= at).at(-1);
    const after = all.find((point) => point.at >= at);
    if (!before || !after) return before ?? after ?? null;
    const share = after.at === before.at ? 0 : (at - before.at) / (after.at - before.at);
    return { value: before.value + share * (after.value - before.value) };
  }

  table(open) {
    const { found, study } = this;
    if (!found) return null;
    const lost = [...this.losses.values()].sort((a, b) => b.loss - a.loss);
    const points = this.rounds.flat();
    const to = (step, text) => h("button", { type: "button", class: "plain", dataset: { key: `step-${text}-${step}` }, onclick: () => study.jump(step) }, text);
    const move = (at) => (study.log[at] ? `${study.log[at].seat} ${pretty(study.log[at].text)}` : "the end");
    return h("div", { class: "told-of" },
      lost.length ? h("p", { class: "lost-moves" }, h("b", {}, lost.length === 1 ? "One move lost much: " : `${lost.length} moves lost much: `),
        lost.slice(0, 8).map((step, place) => [place ? " · " : "", to(step.at, pretty(study.log[step.at].text)), h("span", {}, ` −${step.loss.toFixed(1)} ± ${step.lossError.toFixed(1)}`)])) : null,
      h("details", { open }, h("summary", {}, "As a table, and what the figures rest on"),
        h("p", { class: "notes" }, found.inPoints
          ? "Margin in points at the end of the round, in a match with the rounds before; ± one standard error. A move is marked where it loses more than two standard errors of the difference, in deals that had no part in the choice of the better move. "
          : "In the units of the agent's training. ", found.basis ? sentence(found.basis) : ""),
        h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Steps of the course", dataset: { scroll: "course" } }, h("table", {},
          h("thead", {}, h("tr", {}, ["Step", "Next move", "Expected", "Lost"].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", {}, points.map((point) => h("tr", {},
            h("th", { scope: "row" }, to(point.at, String(point.at))), h("td", {}, point.ends ? "end of the round" : move(point.at)),
            h("td", {}, `${signed(point.value, found.inPoints ? 1 : 2)}${point.error ? ` ± ${point.error.toFixed(1)}` : ""}`),
            h("td", {}, point.loss === undefined ? "" : `${point.loss.toFixed(1)} ± ${point.lossError.toFixed(1)}; better: ${pretty(point.best)}`))))))));
  }
}

/** The lowest and the highest value of an axis that holds all points and 0, and its marks. */
function scale(points) {
  const values = points.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const wide = Math.max(high - low, 1e-6);
  const size = 10 ** Math.floor(Math.log10(wide / 2));
  const step = [5, 2, 1].map((times) => times * size).find((each) => wide / each >= 2) ?? size;
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, place) => (first + place) * step);
  return [low - wide / 20, high + wide / 20, ticks];
}
