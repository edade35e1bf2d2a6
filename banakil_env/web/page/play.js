// A table that is played at: the seat of a key, its legal moves, and what the others do.

import { announce, entry, h, show } from "./dom.js";
import { SERVED, follow, get, getText, post } from "./api.js";
import { saveAs } from "./files.js";
import { board, bannerText, notesOf, seatName } from "./board.js";
import { arranged, moved, NAMES, nextOrder, order, setOrder } from "./hand.js";
import { endText, isMatch, matchView, roundView, who, winnerText } from "./score.js";
import { snapshot, travel } from "./travel.js";
import { tap, turn } from "./sound.js";
import { face, means, meansAll, pretty, spoken, spokenText } from "./cards.js";
import { openDialog, reasonView, showKeys, showRules } from "./dialogs.js";
import { forget, keep } from "./lobby.js";
import { explanation } from "./explanation.js";
import { nextPace, paceView } from "./pace.js";

const TOLD = 60; // moves in the list
const LAST_TURNS = 4; // of others, below the decision
const ANSWERS_AFTER = 400; // milliseconds, so that one sees what is answered
const NOT_OFFERED = new Set(["draw", "discard", "open", "add", "meld", "knock", "stop"]); // verbs of the viewer's own turn
const phone = () => matchMedia("(max-width: 700px)").matches;

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
    this.more = null; // whether what is rarely wanted is shown; null: where there is room
    this.answered = -1; // the version at which an answer was given by itself
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
    this.remember();
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
    this.answer();
    return () => {
      document.body.classList.remove("at-table");
      stop();
      clearTimeout(this.answering);
      document.removeEventListener("keydown", keys);
    };
  }

  /** The lobby offers the table again. */
  remember() {
    const others = this.view.names.filter((_, seat) => seat !== this.view.seat);
    const watched = this.view.seat === null;
    keep(this.key, `${this.view.title}${watched ? ", watched" : ` with ${[...new Set(others)].join(" and ")}`}`, this.view.over, watched);
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
    const drawn = String(view.drawn) !== String(before.drawn) ? this.drawnText(spoken) : "";
    const others = view.log.filter((entry) => entry.seat !== view.seat);
    const said = others.map((entry) => `${seatName(view, entry.seat)}: ${spokenText(entry.text)}.`);
    if (drawn) said.push(drawn);
    if (before.toMove !== view.toMove || before.decision !== view.decision || before.over !== view.over) said.push(`${spokenText(bannerText(view))}.`);
    if (said.length) announce(said.join(" "));
    if (view.over && !before.over) this.remember();
    if (view.moves !== before.moves) {
      tap();
      if (view.actions.length && before.toMove !== view.seat) turn();
    }
    const follows = this.meld === null ? undefined : view.actions.find((action) => action.meld === this.meld);
    if (view.moves !== before.moves) this.meld = null;
    const lay = snapshot(this.main);
    this.draw();
    travel(this.main, lay, view.log.at(-1)?.seat ?? before.toMove, view.seat);
    if (view.rounds.length > before.rounds.length && !view.over) this.roundOver();
    if (follows) this.move(follows); // the card was dropped on this meld
    else this.answer();
  }

  /** A round of a match is over: who has won it, and where the points came from. */
  roundOver() {
    const { view } = this;
    openDialog(`Round ${view.rounds.length} is over`, [roundView(view, view.rounds.at(-1)), matchView(view)], { close: "Next round" });
  }

  /** Make the move that its player wants to be made by itself, if there is one. */
  answer() {
    const { view } = this;
    if (view.over || !view.actions.length || this.answered === view.version) return;
    const passes = this.isOffer && setting("pass") ? view.actions.find((action) => action.verb === "pass") : null;
    const found = passes ?? (view.actions.length === 1 && setting("forced") ? view.actions[0] : null);
    if (!found) return;
    this.answered = view.version;
    clearTimeout(this.answering);
    this.answering = setTimeout(() => this.move(found), ANSWERS_AFTER);
  }

  /** Whether a card or something else is offered, and passing is one of the answers. */
  get isOffer() {
    const verbs = new Set(this.view.actions.map((action) => action.verb));
    return verbs.has("pass") && ![...verbs].some((verb) => NOT_OFFERED.has(verb));
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

  /** "You drew 7♥."; "" if nothing was drawn. `called` says how a card is called. */
  drawnText(called) {
    const { drawn } = this.view;
    return drawn.length ? `You drew ${drawn.map(called).join(", ")}.` : "";
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

  /** The rules that this table plays by; with a reason at the paragraph that is nearest to it. */
  async rules(reason = "") {
    try {
      showRules((await get("/api/table/rules", this.key)).text, reason);
    } catch (error) {
      this.say(error.message);
    }
  }

  pressed(event) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (this.selected.length || this.verb)) {
      this.selected = [];
      this.verb = null;
      this.draw();
    } else if (event.key === "/" && !["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) {
      event.preventDefault();
      const more = this.main.querySelector(".more");
      if (more) more.open = true;
      this.main.querySelector("[data-key=typed]")?.focus();
    } else if (!["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) {
      const only = (verb) => this.view.actions.filter((action) => action.verb === verb);
      if (this.view.seat === null && !this.view.over && this.watchingKey(event)) event.preventDefault();
      else if (event.key === "?") showKeys();
      else if (event.key === "r") this.rules();
      else if (event.key === "s") this.sort();
      else if (event.key === "d" && only("draw").length === 1) this.move(only("draw")[0]);
      else if (event.key === "p" && only("pass").length === 1) this.move(only("pass")[0]);
    }
  }

  /** The keys of those who watch; whether this is one. */
  watchingKey({ key, target }) {
    const { pause, halted } = this.view;
    if (key === " " && target.tagName !== "BUTTON") this.setPace(pause, !halted);
    else if (key === "+" || key === "-") this.setPace(nextPace(pause, key === "+" ? 1 : -1), halted);
    else if (key === "ArrowRight" && halted) this.ask("step");
    else return false;
    return true;
  }

  // What is shown --------------------------------------------------------------------------------------------------

  draw() {
    const view = this.view;
    const plays = view.seat !== null && view.viewer !== null && !view.over;
    document.body.classList.add("at-table");
    show(this.main,
      h("div", { class: "about" },
        h("h1", {}, view.title, h("span", { class: "notes" }, ` ${view.rules}`)),
        h("p", { class: "facts" }, view.facts.join(" · ")),
        h("div", { class: "tools" },
          isMatch(view) && view.rounds.length ? h("button", { type: "button", dataset: { key: "sheet" }, onclick: () => openDialog("Score sheet", [matchView(view), roundView(view, view.rounds.at(-1))]) }, "Score") : null,
          h("button", { type: "button", dataset: { key: "rules" }, onclick: () => this.rules() }, "Rules"),
          h("button", { type: "button", "aria-label": "Keys", dataset: { key: "keys" }, onclick: showKeys }, "?"))),
      this.connection === "lost" ? h("p", { class: "problem", role: "status" }, "The connection is lost; trying again …") : null ?? "",
      view.failed ? h("p", { class: "problem", role: "alert" }, view.stopped ? view.failed : `A player failed: ${view.failed}`) : "",
      view.trouble ? h("p", { class: "problem", role: "alert" }, view.trouble) : "",
      h("div", { class: `play${plays ? " plays" : ""}` },
        board(view, { hand: plays ? "" : null, heap: (area) => this.heap(area), meld: (meld) => this.meldClick(meld), told: this.lastTurns() }),
        h("div", { class: "dock" }, this.movesView(), plays ? this.handPanel() : null),
        this.logView()));
  }

  /** The own cards, as large as they may be, and how they are sorted. */
  handPanel() {
    const { view } = this;
    const own = view.toMove === view.seat;
    const notes = notesOf(view, view.seat).filter((note) => note !== "you");
    return h("section", { class: `hand-panel felted${own ? " moves" : ""}`, "aria-label": "Your hand" },
      h("div", { class: "head" },
        h("span", { class: "name" }, "Your hand"),
        own ? h("span", { class: "pill" }, "your turn") : null,
        h("span", { class: "notes" }, notes.join(" · ")),
        h("button", { type: "button", class: "sort", dataset: { key: "sort" }, onclick: () => this.sort() }, `Sorted ${NAMES[order()]}`)),
      this.handView());
  }

  /** The hand in its next order. */
  sort() {
    setOrder(nextOrder(this.key));
    announce(`Your cards are sorted ${NAMES[order()]}`);
    this.draw();
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
    const groups = arranged(this.view.seats[this.view.seat].hand, this.key);
    const about = (action) => this.hand.some((card) => action.cards.some((word) => means(word, card)));
    const able = this.view.actions.some(about) ? this.view.actions : []; // where no card is asked for, none is dimmed
    const drawn = [...this.view.drawn]; // each marks one card of its kind
    const isNew = (card) => drawn.includes(card) && Boolean(drawn.splice(drawn.indexOf(card), 1));
    return h("div", { class: "hand open own-hand", role: "group", "aria-label": "Your cards", dataset: { place: "hand", drop: "hand" } },
      groups.map((group) => h("div", { class: "group" }, group.map(({ card, place }) => this.handCard(card, place, able, isNew(card))))),
      this.hand.length ? null : h("span", { class: "notes" }, "no cards"));
  }

  handCard(card, place, able, isNew) {
    const pressed = this.selected.includes(place);
    const useful = able.some((action) => action.cards.some((word) => means(word, card)));
    return h("button", {
      type: "button", class: `card${pressed ? " chosen" : ""}${able.length && !useful ? " idle" : ""}${isNew ? " drawn" : ""}`,
      "aria-pressed": String(pressed), "aria-label": isNew ? `${spoken(card)}, just drawn` : spoken(card), dataset: { key: `hand-${place}`, card },
      onclick: () => this.choose(place),
      ondblclick: () => this.dropped(card, "pile"),
      onpointerdown: (event) => this.drag(event, card),
      onkeydown: (event) => along(event, ".own-hand button"),
    }, face(card), isNew ? h("span", { class: "new", "aria-hidden": "true" }, "new") : null);
  }

  /** Drag a card: to the pile, to a meld, or to another place of the hand. */
  drag(event, card) {
    if (event.button !== 0) return;
    const source = event.currentTarget;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const moved = (now) => {
      if (!ghost && Math.hypot(now.clientX - x, now.clientY - y) > 8) {
        ghost = h("span", { class: "card ghost" }, face(card));
        document.body.append(ghost);
        source.classList.add("lifted");
      }
      if (ghost) ghost.style.translate = `${now.clientX - ghost.offsetWidth / 2}px ${now.clientY - ghost.offsetHeight / 2}px`;
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
      const under = document.elementFromPoint(now.clientX, now.clientY);
      const target = under?.closest("[data-drop]");
      if (now.type !== "pointerup" || !target) return;
      if (target.dataset.drop === "hand") this.put(source, under.closest(".card"), now.clientX);
      else if (this.view.actions.length) this.dropped(card, target.dataset.drop);
    };
    event.preventDefault();
    source.focus();
    document.addEventListener("pointermove", moved);
    document.addEventListener("pointerup", ended);
    document.addEventListener("pointercancel", ended);
  }

  /** Put a card of the hand before or behind another one: the hand has an order of its own from now on. */
  put(source, beside, x) {
    const cards = [...this.main.querySelectorAll(".own-hand .card")];
    let to = cards.length;
    if (beside && cards.includes(beside)) {
      const { left, width } = beside.getBoundingClientRect();
      to = cards.indexOf(beside) + (x > left + width / 4 ? 1 : 0);
    }
    moved(cards.map((each) => each.dataset.card), cards.indexOf(source), to, this.key);
    this.draw();
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
    if (view.seat === null) return this.watchingView();
    const own = view.actions.length > 0;
    const title = own ? `Your move: ${pretty(view.decision)}` : bannerText(view);
    return h("section", { class: "panel moves-panel", "aria-labelledby": "moves" },
      h("h2", { id: "moves", tabindex: "-1", dataset: { focus: "" } }, title),
      own && view.needs && !(view.firstMeld && /first meld/.test(view.needs)) ? h("p", { class: "needs" }, reasonView(`${view.needs[0].toUpperCase()}${view.needs.slice(1)}`, (reason) => this.rules(reason))) : null,
      view.firstMeld ? h("p", { class: "needs first-meld" }, h("b", {}, `First meld: ${view.firstMeld[1]} of ${view.firstMeld[0]} points`), " ",
        h("progress", { max: String(view.firstMeld[0]), value: String(view.firstMeld[1]), "aria-label": "What lies for the first meld" })) : null,
      view.drawn.length ? h("p", { class: "notes", id: "drawn" }, this.drawnText(pretty)) : null,
      own ? this.choices() : null,
      h("p", { class: "problem", role: "alert" }, reasonView(this.message, (reason) => this.rules(reason))),
      this.found ? explanation(this.found) : null,
      h("div", { class: "foot" },
        view.practice && own ? h("button", { type: "button", dataset: { key: "hint" }, onclick: () => this.hint() }, "Hint") : null,
        h("details", { class: "more", open: this.more ?? !phone(), ontoggle: (event) => { this.more = event.target.open; } }, h("summary", {}, "More"),
          own ? this.typing() : null,
          h("div", { class: "switches" },
            this.isOffer || setting("pass") ? toggle("pass", "Pass by itself when something is offered", () => this.answer()) : null,
            toggle("forced", "Make a move by itself where it is the only one", () => this.answer())),
          h("div", { class: "buttons" },
            view.practice && view.seat !== null ? h("button", { type: "button", dataset: { key: "undo" }, onclick: () => this.ask("undo", { version: view.version }) }, "Take my turn back") : null,
            h("button", { type: "button", dataset: { key: "stop" }, onclick: () => this.stop() }, "Close the table")))));
  }

  /** How fast a table of players alone goes on. */
  watchingView() {
    const { view } = this;
    return h("section", { class: "panel moves-panel", "aria-labelledby": "moves" },
      h("h2", { id: "moves", tabindex: "-1", dataset: { focus: "" } }, bannerText(view)),
      h("p", { class: "problem", role: "alert" }, this.message),
      paceView({ pace: view.pause, paused: view.halted, over: view.over, change: (pace, paused) => this.setPace(pace, paused), step: () => this.ask("step") }),
      h("div", { class: "buttons" },
        h("a", { class: "button", href: "#/watch" }, "Several tables"),
        h("button", { type: "button", dataset: { key: "stop" }, onclick: () => this.stop() }, "Close the table")));
  }

  /** Another pace, or a halt. */
  async setPace(pace, paused) {
    this.view = { ...this.view, pause: pace, halted: paused };
    this.draw();
    await this.ask("pace", { pause: pace, halted: paused });
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
        h("span", { class: "kind-name", "aria-hidden": "true" }, verb), // on a phone, in place of the verb of each button
        fitting.filter((action) => action.verb === verb).map((action) => h("button", {
          type: "button", class: this.suits(action) ? "primary" : "", "aria-label": spokenText(action.text),
          dataset: { key: `move-${place++}`, action: action.id }, onclick: () => this.move(action),
          onkeydown: (event) => along(event, ".choices .kind button"),
        }, words(action))))));
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
      announce(`${found.called} would ${spokenText(found.text)}`);
    }
  }

  async stop() {
    if (window.confirm(SERVED ? "Close the table for everybody? All hands are shown then." : "Close the table? All hands are shown then.")) await this.ask("stop");
  }

  overView() {
    const view = this.view;
    const last = view.rounds.at(-1);
    const match = isMatch(view);
    const title = view.stopped ? "The table has been closed" : `Over: ${match ? winnerText(view, view.seats.map((seat) => seat.score), "the match") : view.points.length ? winnerText(view, view.points, "the round") : view.result}`;
    return h("section", { class: "panel moves-panel", "aria-labelledby": "moves" },
      h("h2", { id: "moves", tabindex: "-1", dataset: { focus: "" } }, title),
      last && !match ? h("p", { class: "notes" }, endText(view, last)) : null,
      h("p", { class: "problem", role: "alert" }, this.message),
      h("div", { class: "buttons" },
        view.rematch
          ? h("a", { class: "button primary", href: `#/seat/${view.rematch}`, dataset: { key: "rematch" } }, "Go to the rematch")
          : h("button", { type: "button", class: "primary", dataset: { key: "rematch" }, onclick: () => this.rematch() }, "Rematch, seats moved")),
      view.points.length && last ? roundView(view, last, match) : null,
      match && view.rounds.length ? matchView(view) : null,
      h("div", { class: "buttons small" },
        SERVED ? h("button", { type: "button", dataset: { key: "study" }, onclick: () => this.studyIt() }, "Study") : null,
        h("button", { type: "button", dataset: { key: "record" }, onclick: () => this.saveRecord() }, "Save the record"),
        SERVED ? h("button", { type: "button", dataset: { key: "share" }, onclick: () => this.share() }, "Share") : null,
        view.practice && view.seat !== null && !view.stopped ? h("button", { type: "button", dataset: { key: "undo" }, onclick: () => this.ask("undo", { version: view.version }) }, "Take my turn back") : null,
        h("a", { class: "button", href: "#/" }, "Another table")));
  }

  /** The next game of the same players; each of them finds the way to it on this page. */
  async rematch() {
    const made = await this.ask("rematch");
    if (made) location.hash = `#/seat/${made.key}`;
  }

  async saveRecord() {
    saveAs(`${this.view.game}.txt`, await getText("/api/table/record", this.key));
  }

  /** One file with the whole game, for somebody who has no server. */
  async share() {
    this.say("Writing the file …");
    try {
      saveAs(`${this.view.game}.html`, await getText("/api/table/page", this.key), "text/html");
      this.say("The file shows the game in any browser: send it to whom you like.");
    } catch (error) {
      this.say(error.message);
    }
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
          h("b", {}, `${who(this.view, entry.seat)}: `), pretty(entry.text)))));
  }
}

/** Whether the player has switched something on, in this browser. */
function setting(name) {
  return localStorage.getItem(`auto-${name}`) === "yes";
}

/** A switch that this browser keeps. */
function toggle(name, label, changed) {
  const input = h("input", { type: "checkbox", dataset: { key: `auto-${name}` }, onchange: () => {
    localStorage.setItem(`auto-${name}`, input.checked ? "yes" : "no");
    changed();
  } });
  input.checked = setting(name);
  return h("label", { class: "switch" }, input, ` ${label}`);
}

/** A move, its verb apart where the text begins with it. */
function words(action) {
  const rest = action.text.startsWith(`${action.verb} `) ? action.text.slice(action.verb.length) : null;
  return rest === null ? pretty(action.text) : [h("span", { class: "verb" }, action.verb), pretty(rest)];
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
