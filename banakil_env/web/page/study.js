// Study: a game record or a position, step by step; what players think of it; and a table that goes on from there.

import { announce, choice, h, show } from "./dom.js";
import { get, getText, post } from "./api.js";
import { saveAs } from "./files.js";
import { board, bannerText, seatName } from "./board.js";
import { pretty, spokenText } from "./cards.js";
import { Course } from "./course.js";
import { opinions } from "./explanation.js";
import { hands } from "./hands.js";
import { keep } from "./lobby.js";

const RECORDS = 50; // on a page of the list
const STEP = 900; // milliseconds of a move while the game is played through
const REST = 250; // milliseconds at a position before the server is asked for beliefs

export async function study(main, [id, at], query) {
  if (!id) return choose(main);
  const page = new Study(main, id, Number(at ?? 0), query.get("seat"));
  return page.begin();
}

/** Choose what to study. */
async function choose(main) {
  document.title = "Study · banakil";
  const games = await get("/api/games");
  const problem = h("p", { class: "problem", role: "alert" });
  const text = h("textarea", { rows: "8", spellcheck: "false" });
  const game = choice("Game, for a position", games.map((each) => [each.name, each.title]), games[0].name);
  const open = async (body) => {
    problem.textContent = "";
    try {
      const made = await post("/api/studies", body);
      location.hash = `#/study/${made.study}/0`;
    } catch (error) {
      problem.textContent = `That cannot be studied: ${error.message}`;
    }
  };
  const isRecord = (said) => /^\s*(#.*\n\s*)*game:/.test(said);
  const openText = (said) => open(isRecord(said) ? { text: said } : { text: said, game: game.select.value });
  const file = h("input", { type: "file", accept: ".txt,.record,text/plain", onchange: async (event) => {
    if (event.target.files[0]) openText(await event.target.files[0].text());
  } });
  const list = h("section", { "aria-label": "Records of this server" });
  const titles = new Map(games.map((each) => [each.name, each.title]));
  main.replaceChildren(h("h1", {}, "Study a game"), h("div", { class: "chooser" }, list,
    h("section", { class: "panel form", "aria-labelledby": "own" }, h("h2", { id: "own" }, "Your own"),
      h("label", { class: "field" }, h("span", {}, "A record or a position from a file"), file),
      h("label", { class: "field" }, h("span", {}, "or as text"), text),
      game.field, h("p", { class: "notes" }, "A record names its game; a position does not."),
      problem,
      h("button", { type: "button", class: "primary", onclick: () => openText(text.value) }, "Open the text"))));
  await showRecords(list, open, titles, { first: 0, game: "", order: "name", down: false });
}

const COLUMNS = [["name", "Record"], ["game", "Game"], ["players", "Players"], ["date", "Date"], ["result", "Result"]];

/** A page of the records of the server's folder. `wanted`: from which number on, of which game, in which order. */
async function showRecords(list, open, titles, wanted) {
  const { first, game, order, down } = wanted;
  const page = await get(`/api/records?${new URLSearchParams({ first, count: RECORDS, game, order, down: down ? "yes" : "no" })}`);
  if (!page.total && !game) return;
  const again = async (change, key) => {
    await showRecords(list, open, titles, { ...wanted, first: 0, ...change });
    list.querySelector(key)?.focus();
  };
  const titleOf = (id) => titles.get(id.replace(/-v[0-9]+$/, "")) ?? id;
  const turn = (label, key, to) => h("button", { type: "button", disabled: to < 0 || to >= page.total, dataset: { key },
    onclick: () => again({ first: to }, "h2") }, label);
  const head = ([key, text]) => h("th", { scope: "col", "aria-sort": key === order ? (down ? "descending" : "ascending") : null },
    h("button", { type: "button", class: "plain sort", dataset: { key: `order-${key}` },
      onclick: () => again({ order: key, down: key === order ? !down : key === "date" }, `[data-key=order-${key}]`) },
    text, h("span", { "aria-hidden": "true" }, key === order ? (down ? " ↓" : " ↑") : "")));
  const games = choice("Game", [["", "all games"], ...page.games.map((each) => [each, titleOf(each)])], game, {
    dataset: { key: "records-game" }, onchange: (event) => again({ game: event.target.value }, "[data-key=records-game]") });
  const date = (text) => h("time", { datetime: text }, new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
  list.className = "panel";
  list.replaceChildren(h("div", { class: "records-head" }, h("h2", { id: "records", tabindex: "-1" }, "Records of this server"), games.field),
    h("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": "The list of records" }, h("table", { class: "records" },
      h("caption", {}, page.total ? `${first + 1} to ${first + page.records.length} of ${page.total}` : "none"),
      h("thead", {}, h("tr", {}, COLUMNS.map(head))),
      h("tbody", {}, page.records.map((record) => h("tr", {},
        h("th", { scope: "row" }, h("button", { type: "button", class: "plain", onclick: () => open({ file: record.name }) }, record.name)),
        h("td", {}, titleOf(record.game)), h("td", {}, record.players.join(", ")), h("td", { class: "date" }, date(record.date)), h("td", {}, record.result)))))),
    page.total > page.records.length ? h("div", { class: "buttons" },
      turn("Earlier records", "records-before", first - RECORDS), turn("Later records", "records-after", first + RECORDS)) : "");
}

class Study {
  constructor(main, id, at, seat) {
    Object.assign(this, { main, id, at, seat: seat ?? "", log: [], found: [], message: "", timer: null, asked: 0, wanted: at });
    Object.assign(this, { player: null, second: "", course: null });
    Object.assign(this, { believes: false, eyes: null, believed: new Map(), rest: null });
  }

  async begin() {
    document.title = "Study · banakil";
    const keys = (event) => this.pressed(event);
    try {
      this.log = await get(`/api/studies/${this.id}/log`);
      await this.go(this.at);
    } catch (error) {
      this.main.replaceChildren(h("h1", {}, "There is no such study"), h("p", {}, `${error.message}.`), h("a", { href: "#/study" }, "Study another game"));
      return () => {};
    }
    document.addEventListener("keydown", keys);
    return () => {
      clearInterval(this.timer);
      clearTimeout(this.rest);
      this.course?.stop();
      document.removeEventListener("keydown", keys);
    };
  }

  /** Go to a position; the last one that was asked for is shown, in whatever order the answers come. */
  async go(at) {
    const asked = Math.max(0, Math.min(at, this.log.length));
    const number = ++this.asked;
    this.wanted = asked;
    let view;
    try {
      view = await get(`/api/studies/${this.id}/${asked}?seat=${this.seat}`);
    } catch (error) {
      if (!this.view) throw error;
      this.pause();
      this.wanted = this.at;
      this.message = `The position cannot be shown: ${error.message}`;
      this.draw();
      return;
    }
    if (number !== this.asked) return;
    this.at = asked;
    this.view = view;
    this.found = [];
    this.message = "";
    this.player ??= view.players.at(-1).name;
    this.course ??= new Course(this, () => this.marked());
    this.believe();
    if (asked >= this.log.length) this.pause();
    history.replaceState(null, "", this.address);
    this.draw();
    const last = this.log[asked - 1];
    announce(`Move ${asked} of ${this.log.length}. ${last ? `${seatName(view, last.seat)}: ${spokenText(last.text)}. ` : ""}${spokenText(bannerText(view))}.`);
  }

  get address() {
    return `#/study/${this.id}/${this.at}${this.seat === "" ? "" : `?seat=${this.seat}`}`;
  }

  /** Go to a position that somebody chose, and stop playing through. */
  jump(at) {
    this.pause();
    this.go(at);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
  }

  playThrough() {
    if (this.timer) this.pause();
    else this.timer = setInterval(() => this.go(this.at + 1), STEP);
    this.draw();
  }

  pressed(event) {
    if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: this.wanted - 1, ArrowRight: this.wanted + 1, Home: 0, End: this.log.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.jump(to);
  }

  draw() {
    const { view, at, log } = this;
    const last = log[at - 1];
    queueMicrotask(() => this.scrollLog());
    this.course.drawChart();
    const back = this.course.place();
    show(this.main,
      h("div", { class: "about" }, h("h1", {}, `Study: ${view.title}`, h("span", { class: "notes" }, ` ${view.rules}`)),
        h("p", { class: "facts" }, view.facts.join(" · "))),
      this.controls(),
      h("p", { class: "facts steps" }, last ? `Last: ${seatName(view, last.seat)}, ${pretty(last.text)}. ` : "The start. ",
        view.playedText ? `Next: ${pretty(view.playedText)}` : "", h("span", { class: "verdict" }), view.playedText ? "." : ""),
      h("div", { class: "studied" },
        h("div", { class: "shown" }, this.log.length ? this.course.element : null, board(view)),
        h("div", { class: "beside" }, this.logView(), this.asking(), this.believing(), this.branching())));
    back();
    this.marked();
  }

  /** Mark the moves that lost much, in the list and in the line over the table. */
  marked() {
    const { losses } = this.course;
    for (const button of this.main.querySelectorAll(".log [data-move]")) {
      const step = losses.get(Number(button.dataset.move));
      button.querySelector(".lost")?.remove();
      if (step) button.append(h("span", { class: "lost", title: this.course.lossText(step) }, ` −${step.loss.toFixed(1)}`));
      const spokenMove = `After ${spokenText(this.log[button.dataset.move].text)} of seat ${this.log[button.dataset.move].seat}`;
      button.setAttribute("aria-label", step ? `${spokenMove}, ${this.course.lossText(step)}` : spokenMove);
    }
    const verdict = this.main.querySelector(".verdict");
    const next = losses.get(this.at);
    verdict?.replaceChildren(next ? `, ${this.course.lossText(next)}` : "");
  }

  /** The last move in sight in the list, without moving the page. */
  scrollLog() {
    const list = this.main.querySelector(".log ol");
    const current = list?.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  controls() {
    const { at, log, view } = this;
    const step = (key, label, to) => h("button", {
      type: "button", dataset: { key }, disabled: to < 0 || to > log.length || to === at,
      onclick: () => this.jump(to),
    }, label);
    const eyes = choice("View", [["", "all hands"], ...view.seats.map((seat) => [seat.seat, seatName(view, seat.seat)])], this.seat, {
      dataset: { key: "eyes" }, onchange: (event) => { this.seat = event.target.value; this.go(this.at); },
    });
    const slider = h("input", { type: "range", min: "0", max: String(log.length), value: String(at), "aria-label": "Move", dataset: { key: "slider" },
      onchange: (event) => this.jump(Number(event.target.value)) });
    return h("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
      step("first", "First", 0), step("previous", "Back", at - 1),
      h("button", { type: "button", dataset: { key: "through" }, disabled: at >= log.length, onclick: () => this.playThrough() }, this.timer ? "Pause" : "Play through"),
      step("next", "Next", at + 1), step("last", "Last", log.length),
      h("label", { class: "slider" }, slider, h("output", {}, `${at} of ${log.length}`)), eyes.field);
  }

  asking() {
    const { view } = this;
    if (view.over) {
      return h("section", { class: "panel", "aria-labelledby": "ask" }, h("h2", { id: "ask" }, `Over: ${view.result}`),
        view.points.length ? h("p", {}, `Points of the round by seat: ${view.points.join(", ")}`) : null,
        h("p", { class: "problem", role: "alert" }, this.message), this.keeping());
    }
    const players = view.players.map(({ name, label }) => [name, label]);
    const who = choice("Player", players, this.player, {
      dataset: { key: "player" }, onchange: (event) => { this.player = event.target.value; },
    });
    const other = choice("and", [["", "nobody else"], ...players], this.second, {
      dataset: { key: "second" }, onchange: (event) => { this.second = event.target.value; },
    });
    return h("section", { class: "panel", "aria-labelledby": "ask" }, h("h2", { id: "ask" }, "What would others do?"),
      h("div", { class: "buttons asking" }, who.field, other.field,
        h("button", { type: "button", class: "primary", dataset: { key: "ask" }, onclick: () => this.ask() }, "Ask")),
      h("p", { class: "problem", role: "alert" }, this.message),
      this.found.length ? opinions(this.found, view.played) : null, this.keeping());
  }

  async ask() {
    this.message = "Thinking …";
    this.draw();
    const at = this.at;
    const names = [...new Set([this.player, this.second].filter(Boolean))];
    try {
      const found = await Promise.all(names.map((player) => post(`/api/studies/${this.id}/${at}/ask`, { player })));
      if (at !== this.at) return;
      this.found = found;
      this.message = "";
      announce(found.map((each) => `${each.called} would ${spokenText(each.text)}`).join(". "));
    } catch (error) {
      this.message = error.message;
    }
    this.draw();
  }

  /** Whose beliefs are shown: of the seat whose view it is; with all hands open, of a seat that is chosen. */
  get believer() {
    return Number(this.seat === "" ? this.eyes ?? this.view.toMove ?? 0 : this.seat);
  }

  believing() {
    const { view } = this;
    if (view.over) return null;
    const found = this.believed.get(`${this.at} ${this.believer}`);
    const eyes = choice("As known to", view.seats.map((seat) => [seat.seat, seatName(view, seat.seat)]), this.believer, {
      dataset: { key: "believer" }, onchange: (event) => { this.eyes = Number(event.target.value); this.draw(); this.believe(0); },
    });
    const content = typeof found === "string" ? h("p", { class: "problem", role: "alert" }, found) : found ? hands(found, view) : h("p", { class: "notes" }, "Thinking …");
    return h("details", { class: "panel beliefs", open: this.believes, ontoggle: (event) => {
      if (event.target.open === this.believes || !event.target.isConnected) return;
      this.believes = event.target.open;
      this.draw();
      this.believe(0);
    } }, h("summary", { dataset: { key: "beliefs" } }, h("h2", {}, "What the hidden hands may be")),
    this.believes ? [this.seat === "" ? eyes.field : null, content] : null);
  }

  /** Ask for beliefs about this position, if they are shown, after a rest: who steps along asks for none. */
  believe(rest = REST) {
    clearTimeout(this.rest);
    const { at } = this;
    const key = `${at} ${this.believer}`;
    if (!this.believes || this.view.over || this.believed.has(key)) return;
    this.rest = setTimeout(async () => {
      let found;
      try {
        found = await get(`/api/studies/${this.id}/${at}/beliefs?seat=${this.believer}`);
      } catch (error) {
        found = error.message;
      }
      this.believed.set(key, found);
      if (at === this.at) this.draw();
      if (typeof found === "string") this.believed.delete(key); // another visit may succeed
    }, rest);
  }

  keeping() {
    return h("div", { class: "buttons" },
      h("button", { type: "button", dataset: { key: "link" }, onclick: async (event) => {
        const button = event.target;
        try {
          await navigator.clipboard.writeText(location.href);
          button.textContent = "Copied";
        } catch { // browsers have no clipboard for pages of other machines without encryption
          window.prompt("The link to this position", location.href);
        }
      } }, "Copy the link to this position"),
      h("button", { type: "button", dataset: { key: "position" }, onclick: async () => saveAs(`${this.view.game}-position.txt`, await getText(`/api/studies/${this.id}/text?at=${this.at}`)) }, "Save the position"),
      this.log.length ? h("button", { type: "button", dataset: { key: "share" }, onclick: () => this.share() }, "Share") : null);
  }

  /** One file with the whole game, for somebody who has no server. */
  async share() {
    try {
      saveAs(`${this.view.game}.html`, await getText(`/api/studies/${this.id}/page`), "text/html");
    } catch (error) {
      this.message = error.message;
      this.draw();
    }
  }

  branching() {
    const { view } = this;
    if (view.over) return null;
    const seat = choice("Your seat", view.seats.map((each) => [each.seat, seatName(view, each.seat)]), view.toMove, { dataset: { key: "branch-seat" } });
    const others = choice("The others", view.players.map(({ name, label }) => [name, label]), (view.players[1] ?? view.players[0]).name, { dataset: { key: "branch-others" } });
    return h("section", { class: "panel", "aria-labelledby": "branch" }, h("h2", { id: "branch" }, "Play on from here"),
      h("div", { class: "buttons" }, seat.field, others.field,
        h("button", { type: "button", dataset: { key: "branch" }, onclick: async () => {
          try {
            const seats = view.seats.map((each) => (each.seat === Number(seat.select.value) ? { name: "" } : { player: others.select.value }));
            const made = await post(`/api/studies/${this.id}/${this.at}/branch`, { seats });
            const [key] = Object.values(made.keys);
            keep(key, `${view.title}, from a study`);
            location.hash = `#/seat/${key}`;
          } catch (error) {
            this.message = error.message;
            this.draw();
          }
        } }, "Play on")));
  }

  logView() {
    const first = Math.max(0, this.at - 30);
    return h("section", { class: "panel log", "aria-labelledby": "log" }, h("h2", { id: "log" }, "Moves"),
      h("ol", { start: String(first + 1) }, this.log.slice(first, first + 60).map((entry) => h("li", { class: entry.number === this.at ? "here" : "" },
        h("button", { type: "button", class: "plain", "aria-current": entry.number + 1 === this.at ? "step" : null,
          dataset: { key: `log-${entry.number}`, move: entry.number },
          onclick: () => this.jump(entry.number + 1) }, `${entry.seat} ${pretty(entry.text)}`)))));
  }
}
