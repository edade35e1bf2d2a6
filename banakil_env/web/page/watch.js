// Several tables at once: small boards side by side, each leading to its table. They are asked for one after the other.

import { h, show } from "./dom.js";
import { get, post } from "./api.js";
import { board } from "./board.js";
import { forget, kept } from "./lobby.js";
import { pretty } from "./cards.js";
import { paceView } from "./pace.js";
import { isMatch, winnerText } from "./score.js";

const ROUND = 1000; // milliseconds in which every table is asked for once: a stream each would be too many for a browser
const SHORTEST = 100; // milliseconds between two requests

export async function watch(main, [keys]) {
  document.title = "Watch · banakil";
  const page = new Watch(main, keys ? keys.split(",") : kept().filter((table) => table.watched && !table.over).map((table) => table.key));
  page.draw();
  page.run();
  return () => { page.left = true; };
}

class Watch {
  constructor(main, keys) {
    Object.assign(this, { main, keys, views: new Map(), left: false, message: "", telling: 0 });
  }

  /** The tables of players alone whose pace can be chosen here, with what was last seen of them. */
  get running() {
    return this.keys.map((key) => [key, this.views.get(key)]).filter(([, view]) => view && view.seat === null && !view.over);
  }

  async run() {
    while (!this.left) {
      const open = this.keys.filter((key) => !this.views.get(key)?.over);
      for (const key of open) {
        await this.look(key);
        await new Promise((resolve) => setTimeout(resolve, Math.max(ROUND / open.length, SHORTEST)));
        if (this.left) return;
      }
      if (!open.length) await new Promise((resolve) => setTimeout(resolve, ROUND));
    }
  }

  async look(key) {
    if (this.telling) return; // what comes would be older than the pace that was chosen
    const before = this.views.get(key);
    try {
      const view = await get(`/api/table?since=${Math.max(0, (before?.moves ?? 0) - 1)}`, key);
      if (this.left || this.telling || !this.keys.includes(key)) return;
      this.views.set(key, view);
      if (before?.version !== view.version) this.draw();
    } catch (error) {
      if (this.left) return;
      if (error.status === 404) {
        forget(key);
        this.keys = this.keys.filter((each) => each !== key);
      }
      this.message = error.message;
      this.draw();
    }
  }

  choose(key, wanted) {
    this.keys = wanted ? [...this.keys, key] : this.keys.filter((each) => each !== key);
    history.replaceState(null, "", `#/watch/${this.keys.join(",")}`);
    this.draw();
  }

  /** The same pace for all tables of players alone. */
  async setPace(pace, paused) {
    this.message = "";
    const { running } = this;
    for (const [key, view] of running) this.views.set(key, { ...view, pause: pace, halted: paused });
    this.draw();
    await this.tell("pace", running, { pause: pace, halted: paused });
  }

  async step() {
    await this.tell("step", this.running);
  }

  async tell(what, tables, body = {}) {
    this.telling++;
    await Promise.all(tables.map(async ([key]) => {
      try {
        await post(`/api/table/${what}`, body, key);
      } catch (error) {
        this.message = error.message;
      }
    }));
    this.telling--;
    if (!this.left) this.draw();
  }

  draw() {
    const { running } = this;
    const first = running[0]?.[1];
    const tables = kept().filter((table) => this.keys.includes(table.key) || !table.over);
    show(this.main,
      h("h1", { tabindex: "-1", dataset: { focus: "" } }, "Watch"),
      h("p", { class: "problem", role: "alert" }, this.message),
      first ? paceView({
        pace: first.pause, paused: first.halted, over: false, change: (pace, paused) => this.setPace(pace, paused), step: () => this.step(),
      }) : "",
      tables.length ? h("details", { class: "chosen", open: !this.keys.length }, h("summary", {}, `Tables (${this.keys.length})`),
        h("fieldset", {}, h("legend", {}, "Tables to be shown"), tables.map((table) => this.toggle(table))))
        : h("p", {}, "No table is open. Set one up under ", h("a", { href: "#/" }, "Play"),
          ": choose players for all seats under More, and how many tables at once."),
      h("div", { class: "grid" }, this.keys.map((key, place) => this.tile(key, place))));
  }

  toggle(table) {
    const input = h("input", { type: "checkbox", dataset: { key: `show-${table.key}` }, onchange: () => this.choose(table.key, input.checked) });
    input.checked = this.keys.includes(table.key);
    return h("label", { class: "switch" }, input, ` ${table.title}`);
  }

  tile(key, place) {
    const view = this.views.get(key);
    if (!view) return h("article", { class: "panel" }, h("p", { class: "notes" }, "Preparing …"));
    const name = `Table ${place + 1}: ${view.title}`;
    const last = view.log.at(-1);
    const done = last ? `${last.number + 1}. ${view.names[last.seat]} ${pretty(last.text)}` : "No move yet";
    const points = isMatch(view) ? view.seats.map((seat) => seat.score) : view.points;
    const result = view.over && points.length ? winnerText(view, points, isMatch(view) ? "the match" : "the round") : done;
    return h("article", { class: "panel" },
      h("h2", {}, h("a", { href: `#/seat/${key}`, dataset: { key: `table-${key}` } }, name)),
      board(view, { small: `${name}, the board` }),
      h("p", { class: "notes" }, result));
  }
}
