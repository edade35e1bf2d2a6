// A table that is played at: the seat of a key, its legal moves, and what the others do.

import { announce, entry, h, show } from "./dom.js";
import { follow, get, getText, post, saveAs } from "./api.js";
import { board, bannerText, seatName } from "./board.js";
import { face, means, meansAll, pretty, spoken, spokenText } from "./cards.js";
import { forget, keep } from "./lobby.js";
import { explanation } from "./explanation.js";

const TOLD = 60; // moves in the list
const LAST_TURNS = 8; // of others, below what is to be decided

export async function play(main, [key]) {
  const table = new Table(main, key);
  return table.begin();
}

class Table {
  constructor(main, key) {
    this.main = main;
    this.key = key;
    this.log = [];
    this.selected = []; // places of chosen cards in the hand
    this.verb = null; // the kind of move to which the list is narrowed
    this.meld = null; // the meld on which a card was dropped
    this.message = "";
    this.connection = "here";
    this.found = null; // what the adviser thinks
    this.typed = "";
  }

  async begin() {
    this.main.replaceChildren(h("p", {}, "Preparing the table …"));
    try {
      this.view = await get("/api/table?since=0", this.key);
    } catch (error) {
      if (error.status === 404) forget(this.key);
      this.main.replaceChildren(h("h1", {}, "There is no such seat"), h("p", {}, `${error.message}.`), h("a", { href: "#/" }, "To the lobby"));
      return () => {};
    }
    keep(this.key, `${this.view.title}, seat ${this.view.seat ?? "of those who watch"}`);
    document.title = `${this.view.title} · banakil`;
    this.log = this.view.log;
    this.draw();
    const seen = { version: this.view.version, moves: this.view.moves };
    const stop = follow(this.key, seen, (view) => {
      Object.assign(seen, { version: view.version, moves: view.moves });
      this.news(view);
    }, (state, why) => this.state(state, why));
    const keys = (event) => this.pressed(event);
    document.addEventListener("keydown", keys);
    return () => {
      stop();
      document.removeEventListener("keydown", keys);
    };
  }

  /** The table has changed. */
  news(view) {
    const before = this.view;
    this.log = [...this.log.filter((entry) => entry.number < Math.min(view.moves, view.log[0]?.number ?? view.moves)), ...view.log];
    this.view = view;
    if (before.moves !== view.moves) {
      this.selected = [];
      this.verb = null;
      this.message = "";
      this.found = null;
      this.typed = "";
    }
    const others = view.log.filter((entry) => entry.seat !== view.seat);
    const said = others.map((entry) => `${seatName(view, entry.seat)}: ${spokenText(entry.text)}.`);
    if (before.toMove !== view.toMove || before.decision !== view.decision || before.over !== view.over) said.push(`${spokenText(bannerText(view))}.`);
    if (said.length) announce(said.join(" "));
    const follows = this.meld === null ? undefined : view.actions.find((action) => action.meld === this.meld);
    if (view.moves !== before.moves) this.meld = null;
    this.draw();
    if (follows) this.move(follows); // the card was dropped on this meld
  }

  state(state, why) {
    this.connection = state;
    if (state === "gone") {
      this.message = why;
      this.view = { ...this.view, actions: [] };
    }
    this.draw();
  }

  // What can be done -----------------------------------------------------------------------------------------------

  get hand() {
    return this.view.seat === null ? [] : (this.view.seats[this.view.seat].hand ?? []).flat();
  }

  get chosen() {
    return this.selected.map((place) => this.hand[place]);
  }

  /** The legal moves about the cards chosen, of the kind chosen. */
  get fitting() {
    return this.view.actions.filter((action) =>
      (this.verb === null || action.verb === this.verb) && meansAll(action.cards, this.chosen));
  }

  async move(action) {
    try {
      await post("/api/table/move", { action: action.id, version: this.view.version }, this.key);
    } catch (error) {
      this.say(error.message);
    }
  }

  async ask(path, body = {}) {
    try {
      return await post(`/api/table/${path}`, body, this.key);
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }

  say(message) {
    this.message = message;
    this.draw();
  }

  choose(place) {
    const at = this.selected.indexOf(place);
    if (at >= 0) this.selected.splice(at, 1);
    else this.selected.push(place);
    this.message = "";
    if (this.view.actions.length && this.chosen.length && !this.fitting.length) {
      this.verb = null;
      if (!this.fitting.length) {
        const cards = this.chosen.map(spoken).join(" and ");
        this.message = `No legal move names ${cards}${this.chosen.length > 1 ? " together" : ""} now.`;
        announce(this.message);
      }
    }
    this.draw();
  }

  /** A card was dropped on the pile, on a meld, or among melds. */
  dropped(card, target) {
    const about = this.view.actions.filter((action) => action.cards.length === 1 && means(action.cards[0], card));
    const leaves = (action) => ["discard", "also"].includes(action.verb);
    let able = [];
    if (target === "pile") able = about.filter(leaves);
    else if (target.startsWith("meld-")) {
      able = about.filter((action) => !leaves(action));
      this.meld = Number(target.slice(5));
    }
    if (able.length === 1) this.move(able[0]);
    else {
      const verb = target === "pile" ? "discard" : "add";
      this.selected = [this.hand.indexOf(card)];
      if (able.length) this.draw();
      else this.why(`${verb} ${card}`);
    }
  }

  async why(text) {
    const answer = await this.ask("why", { text });
    if (answer) this.say(answer.why);
  }

  pressed(event) {
    if (event.key === "Escape" && (this.selected.length || this.verb)) {
      this.selected = [];
      this.verb = null;
      this.draw();
    } else if (event.key === "/" && !["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) {
      event.preventDefault();
      this.main.querySelector("[data-key=typed]")?.focus();
    }
  }

  // What is shown --------------------------------------------------------------------------------------------------

  draw() {
    const view = this.view;
    const hand = view.seat !== null && view.viewer !== null && !view.over ? this.handView() : null;
    show(this.main,
      h("h1", {}, view.title, h("span", { class: "notes" }, ` ${view.rules}`)),
      h("p", { class: "facts" }, view.facts.join(" · ")),
      this.connection === "lost" ? h("p", { class: "problem", role: "status" }, "The connection is lost; trying again …") : null ?? "",
      view.failed ? h("p", { class: "problem", role: "alert" }, `A player failed: ${view.failed}`) : "",
      h("div", { class: "play" },
        board(view, { hand, heap: (area) => this.heap(area), meld: (meld) => this.meldClick(meld), told: this.lastTurns() }),
        h("div", { class: "beside" }, this.movesView(), this.logView())));
  }

  /** What the others have done since the viewer's last turn, a line a turn. */
  lastTurns() {
    const { view, log } = this;
    const turns = [];
    let end = log.length;
    while (end && log[end - 1].seat === view.seat) end--;
    for (const entry of log.slice(0, end).toReversed()) {
      if (entry.seat === view.seat) break;
      if (turns[0]?.seat === entry.seat) turns[0].texts.unshift(pretty(entry.text));
      else if (turns.length < LAST_TURNS) turns.unshift({ seat: entry.seat, texts: [pretty(entry.text)] });
      else break;
    }
    return view.over ? [] : turns.map(({ seat, texts }) => `${seatName(view, seat)}: ${texts.join(", ")}`);
  }

  handView() {
    let place = 0;
    const groups = this.view.seats[this.view.seat].hand;
    const able = this.view.actions;
    return h("div", { class: "hand open own-hand", role: "group", "aria-label": "Your cards" },
      groups.map((group) => h("div", { class: "group" }, group.map((card) => this.handCard(card, place++, able)))),
      this.hand.length ? null : h("span", { class: "notes" }, "no cards"));
  }

  handCard(card, place, able) {
    const pressed = this.selected.includes(place);
    const useful = able.some((action) => action.cards.some((word) => means(word, card)));
    return h("button", {
      type: "button", class: `card${pressed ? " chosen" : ""}${able.length && !useful ? " idle" : ""}`,
      "aria-pressed": String(pressed), "aria-label": spoken(card), dataset: { key: `hand-${place}`, card },
      onclick: () => this.choose(place),
      ondblclick: () => this.dropped(card, "pile"),
      onpointerdown: (event) => this.drag(event, card),
      onkeydown: (event) => along(event, ".own-hand button"),
    }, face(card));
  }

  /** Drag a card with the mouse or a pen; with a finger cards are tapped. */
  drag(event, card) {
    if (event.pointerType === "touch" || event.button !== 0 || !this.view.actions.length) return;
    const source = event.currentTarget;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const moved = (now) => {
      if (!ghost && Math.hypot(now.clientX - x, now.clientY - y) > 8) {
        ghost = h("span", { class: "card ghost" }, face(card));
        document.body.append(ghost);
        source.classList.add("lifted");
      }
      if (ghost) ghost.style.translate = `${now.clientX - 24}px ${now.clientY - 32}px`;
    };
    const ended = (now) => {
      document.removeEventListener("pointermove", moved);
      document.removeEventListener("pointerup", ended);
      document.removeEventListener("pointercancel", ended);
      if (!ghost) return;
      ghost.remove();
      source.classList.remove("lifted");
      // The click that follows is part of the drag.
      source.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
      const target = document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-drop]");
      if (now.type === "pointerup" && target) this.dropped(card, target.dataset.drop);
    };
    event.preventDefault();
    source.focus();
    document.addEventListener("pointermove", moved);
    document.addEventListener("pointerup", ended);
    document.addEventListener("pointercancel", ended);
  }

  /** What a click on the stock or the pile does. */
  heap(area) {
    const { actions } = this.view;
    if (area.name === "stock") {
      const draws = actions.filter((action) => action.verb === "draw");
      return draws.length === 1 ? { label: `Stock, ${area.size} cards: ${draws[0].text}`, act: () => this.move(draws[0]) } : null;
    }
    if (area.name !== "pile") return null;
    const deep = actions.filter((action) => action.depth !== null);
    const depths = new Map(deep.map((action) => [action.depth, { label: action.text, act: () => this.move(action) }]));
    const takes = actions.filter((action) => action.verb === "take" && action.depth === null);
    if (!takes.length) return deep.length ? { depths } : null;
    return { label: "Take the pile …", act: () => { this.verb = "take"; this.selected = []; this.draw(); } };
  }

  meldClick(meld) {
    const action = this.view.actions.find((each) => each.meld !== null && each.meld === meld.number);
    return action ? { label: `Meld ${meld.number}, ${meld.cards.map(spoken).join(", ")}: ${action.text}`, act: () => this.move(action) } : null;
  }

  movesView() {
    const view = this.view;
    if (view.over) return this.overView();
    const own = view.actions.length > 0;
    const title = own ? `Your move: ${pretty(view.decision)}` : bannerText(view);
    return h("section", { class: "panel moves-panel", "aria-labelledby": "moves" },
      h("h2", { id: "moves", tabindex: "-1", dataset: { focus: "" } }, title),
      own ? this.choices() : null,
      own ? this.typing() : null,
      h("p", { class: "problem", role: "alert" }, this.message),
      this.found ? explanation(this.found) : null,
      h("div", { class: "buttons" },
        view.practice && own ? h("button", { type: "button", dataset: { key: "hint" }, onclick: () => this.hint() }, `Hint from ${view.adviser}`) : null,
        view.practice && view.seat !== null ? h("button", { type: "button", dataset: { key: "undo" }, onclick: () => this.ask("undo", { version: view.version }) }, "Take my turn back") : null,
        h("button", { type: "button", dataset: { key: "stop" }, onclick: () => this.stop() }, "Close the table")));
  }

  /** The legal moves that fit the cards chosen, by kind. */
  choices() {
    const fitting = this.fitting;
    const narrowed = this.verb !== null || this.selected.length > 0;
    const verbs = [...new Set(fitting.map((action) => action.verb))];
    let place = 0;
    return h("div", { class: "choices", dataset: { scroll: "choices" } },
      narrowed ? h("p", { class: "notes" },
        `${fitting.length} of ${this.view.actions.length} moves${this.selected.length ? ` with ${this.chosen.map((card) => pretty(card)).join(" ")}` : ""} `,
        h("button", { type: "button", class: "plain", dataset: { key: "all" }, onclick: () => { this.selected = []; this.verb = null; this.message = ""; this.draw(); } }, "show all")) : null,
      verbs.map((verb) => h("div", { class: "kind", role: "group", "aria-label": verb },
        fitting.filter((action) => action.verb === verb).map((action) => h("button", {
          type: "button", class: this.suits(action) ? "primary" : "", "aria-label": spokenText(action.text),
          dataset: { key: `move-${place++}`, action: action.id }, onclick: () => this.move(action),
          onkeydown: (event) => along(event, ".choices .kind button"),
        }, pretty(action.text))))));
  }

  /** Whether a move is about exactly the cards chosen. */
  suits(action) {
    return this.selected.length > 0 && action.cards.length === this.selected.length && action.meld === null;
  }

  typing() {
    const typed = entry("Or write a move", {
      list: "legal", value: this.typed, placeholder: "such as " + this.view.actions[0].text, dataset: { key: "typed" },
      oninput: (event) => { this.typed = event.target.value; },
    });
    return h("form", { class: "typing", onsubmit: (event) => {
      event.preventDefault();
      const said = this.typed.trim().toLowerCase().replace(/\s+/g, " ");
      const exact = this.view.actions.find((action) => action.text.toLowerCase() === said);
      const begun = said ? this.view.actions.filter((action) => action.text.toLowerCase().startsWith(said)) : [];
      if (exact || begun.length === 1) this.move(exact ?? begun[0]);
      else if (begun.length) this.say(`${begun.length} moves begin so: ${begun.slice(0, 6).map((action) => action.text).join(", ")}${begun.length > 6 ? ", …" : ""}`);
      else if (said) this.why(said);
    } },
    typed.field, h("datalist", { id: "legal" }, this.view.actions.slice(0, 200).map((action) => h("option", { value: action.text }))),
    h("button", { type: "submit", dataset: { key: "typed-play" } }, "Play, or say why not"));
  }

  async hint() {
    this.say("Thinking …");
    const found = await this.ask("hint");
    if (found) {
      this.found = found;
      this.say("");
      announce(`${found.player} would ${spokenText(found.text)}`);
    }
  }

  async stop() {
    if (window.confirm("Close the table for everybody? All hands are shown then.")) await this.ask("stop");
  }

  overView() {
    const view = this.view;
    const low = view.lowWins ? "; fewer points are better" : "";
    return h("section", { class: "panel moves-panel", "aria-labelledby": "moves" },
      h("h2", { id: "moves", tabindex: "-1", dataset: { focus: "" } }, view.stopped ? "The table has been closed" : `Over: ${view.result}`),
      view.points.length ? h("table", { class: "scores" },
        h("caption", {}, `Points${low}`),
        h("thead", {}, h("tr", {}, ["Seat", "Round", "Score"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, view.seats.map((seat) => h("tr", {},
          h("th", { scope: "row" }, seatName(view, seat.seat)), h("td", {}, String(view.points[seat.seat])),
          h("td", {}, seat.score === null ? "" : String(seat.score)))))) : null,
      h("p", { class: "problem", role: "alert" }, this.message),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "primary", dataset: { key: "record" }, onclick: () => this.saveRecord() }, "Save the record"),
        h("button", { type: "button", dataset: { key: "study" }, onclick: () => this.studyIt() }, "Study this game"),
        view.practice && view.seat !== null && !view.stopped ? h("button", { type: "button", dataset: { key: "undo" }, onclick: () => this.ask("undo", { version: view.version }) }, "Take my turn back") : null,
        h("a", { class: "button", href: "#/" }, "Another table")));
  }

  async saveRecord() {
    saveAs(`${this.view.game}.txt`, await getText("/api/table/record", this.key));
  }

  async studyIt() {
    try {
      const text = await getText("/api/table/record", this.key);
      const made = await post("/api/studies", { text });
      location.hash = `#/study/${made.study}/0`;
    } catch (error) {
      this.say(error.message);
    }
  }

  logView() {
    const moves = this.log.slice(-TOLD);
    return h("section", { class: "panel log", "aria-labelledby": "log" }, h("h2", { id: "log" }, "Moves"),
      moves.length ? null : h("p", { class: "notes" }, "None yet."),
      h("ol", { reversed: true, start: String(moves.at(-1)?.number + 1 || 1), tabindex: "0", "aria-label": "Moves, the last first" },
        moves.toReversed().map((entry) => h("li", { class: entry.seat === this.view.seat ? "mine" : "" },
          h("b", {}, `${entry.seat} ${this.view.names[entry.seat]} `), pretty(entry.text)))));
  }
}

/** Arrow keys go along buttons. */
function along(event, selector) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const buttons = [...document.querySelectorAll(selector)];
  const place = buttons.indexOf(event.currentTarget);
  buttons[(place + step + buttons.length) % buttons.length].focus();
}
