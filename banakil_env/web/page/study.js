// Study: a game record or a position, step by step; what players think of it; and a table that goes on from there.

import { announce, choice, h, show } from "./dom.js";
import { get, getText, post, saveAs } from "./api.js";
import { board, bannerText, seatName } from "./board.js";
import { pretty, spokenText } from "./cards.js";
import { explanation } from "./explanation.js";
import { keep } from "./lobby.js";

const STEP = 900; // milliseconds of a move while the game is played through

export async function study(main, [id, at], query) {
  if (!id) return choose(main);
  const page = new Study(main, id, Number(at ?? 0), query.get("seat"));
  return page.begin();
}

/** Choose what to study. */
async function choose(main) {
  document.title = "Study · banakil";
  const [records, games] = await Promise.all([get("/api/records"), get("/api/games")]);
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
  main.replaceChildren(h("h1", {}, "Study a game"),
    h("section", { class: "panel form" },
      h("p", {}, "A game record names its game. A position does not: choose its game."),
      game.field,
      h("label", { class: "field" }, h("span", {}, "A record or a position from a file"), file),
      h("label", { class: "field" }, h("span", {}, "or as text"), text),
      problem,
      h("button", { type: "button", class: "primary", onclick: () => openText(text.value) }, "Open the text")),
    records.length ? h("section", { "aria-labelledby": "records" }, h("h2", { id: "records" }, "Records of this server"),
      h("ul", { class: "records" }, records.map((name) => h("li", {}, h("button", { type: "button", class: "plain", onclick: () => open({ file: name }) }, name))))) : "");
}

class Study {
  constructor(main, id, at, seat) {
    Object.assign(this, { main, id, at, seat: seat ?? "", log: [], found: [], message: "", timer: null, player: null, asked: 0, wanted: at });
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
    this.player ??= view.players.at(-1);
    if (asked >= this.log.length) this.pause();
    history.replaceState(null, "", this.address);
    this.draw();
    const last = this.log[asked - 1];
    announce(`Move ${asked} of ${this.log.length}. ${last ? `${seatName(view, last.seat)}: ${spokenText(last.text)}. ` : ""}${spokenText(bannerText(view))}.`);
  }

  get address() {
    return `#/study/${this.id}/${this.at}${this.seat === "" ? "" : `?seat=${this.seat}`}`;
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
    this.pause();
    this.go(to);
  }

  draw() {
    const { view, at, log } = this;
    const last = log[at - 1];
    queueMicrotask(() => this.scrollLog());
    show(this.main,
      h("h1", {}, `Study: ${view.title}`, h("span", { class: "notes" }, ` ${view.rules}`)),
      h("p", { class: "facts" }, view.facts.join(" · ")),
      this.controls(),
      h("p", { class: "facts" }, last ? `Last: ${seatName(view, last.seat)}, ${pretty(last.text)}. ` : "The start. ",
        view.playedText ? `Next: ${pretty(view.playedText)}.` : ""),
      h("div", { class: "play" }, board(view),
        h("div", { class: "beside" }, this.asking(), this.branching(), this.logView())));
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
      onclick: () => { this.pause(); this.go(to); },
    }, label);
    const eyes = choice("View", [["", "all hands"], ...view.seats.map((seat) => [seat.seat, seatName(view, seat.seat)])], this.seat, {
      dataset: { key: "eyes" }, onchange: (event) => { this.seat = event.target.value; this.go(this.at); },
    });
    const slider = h("input", { type: "range", min: "0", max: String(log.length), value: String(at), "aria-label": "Move", dataset: { key: "slider" },
      onchange: (event) => { this.pause(); this.go(Number(event.target.value)); } });
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
    const who = choice("Player", view.players.map((name) => [name, name]), this.player, {
      dataset: { key: "player" }, onchange: (event) => { this.player = event.target.value; },
    });
    return h("section", { class: "panel", "aria-labelledby": "ask" }, h("h2", { id: "ask" }, `What would another do for seat ${view.toMove}?`),
      h("div", { class: "buttons" }, who.field,
        h("button", { type: "button", class: "primary", dataset: { key: "ask" }, onclick: () => this.ask() }, "Ask")),
      h("p", { class: "problem", role: "alert" }, this.message),
      this.found.map((found) => explanation(found, view.played)), this.keeping());
  }

  async ask() {
    this.message = "Thinking …";
    this.draw();
    const at = this.at;
    try {
      const found = await post(`/api/studies/${this.id}/${at}/ask`, { player: this.player });
      if (at !== this.at) return;
      this.found = [found, ...this.found.filter((each) => each.player !== found.player)];
      this.message = "";
      announce(`${found.player} would ${spokenText(found.text)}`);
    } catch (error) {
      this.message = error.message;
    }
    this.draw();
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
      h("button", { type: "button", dataset: { key: "position" }, onclick: async () => saveAs(`${this.view.game}-position.txt`, await getText(`/api/studies/${this.id}/text?at=${this.at}`)) }, "Save the position"));
  }

  branching() {
    const { view } = this;
    if (view.over) return null;
    const seat = choice("Your seat", view.seats.map((each) => [each.seat, seatName(view, each.seat)]), view.toMove, { dataset: { key: "branch-seat" } });
    const others = choice("The others", view.players.map((name) => [name, name]), view.players[1] ?? view.players[0], { dataset: { key: "branch-others" } });
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
          "aria-label": `After ${spokenText(entry.text)} of seat ${entry.seat}`, dataset: { key: `log-${entry.number}` },
          onclick: () => { this.pause(); this.go(entry.number + 1); } }, `${entry.seat} ${pretty(entry.text)}`)))));
  }
}
