// A game in one file: step by step, played through at any pace, with all hands or as one seat saw it. Asks no server.

import { announce, choice, h, show } from "./dom.js";
import { board, bannerText, seatName } from "./board.js";
import { pretty, setDecks, spokenText } from "./cards.js";
import { nextPace, paceView, USUAL } from "./pace.js";
import { endText, isMatch, matchView, roundView, winnerText } from "./score.js";
import { snapshot, travel } from "./travel.js";

const SHORTEST = 50; // milliseconds between two moves, so that each is drawn

class Replay {
  constructor(main, game) {
    Object.assign(this, { main, game, at: game.at, pace: USUAL, timer: null });
    this.eye = game.eyes.find((each) => each.seat === game.seat) ?? game.eyes[0];
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.draw();
  }

  get last() {
    return this.game.movers.length;
  }

  /** What is shown now: the scene, with what the board asks of a game besides. */
  get view() {
    const { names, lowWins, rounds } = this.game;
    const scene = this.eye.views[this.at];
    return { ...scene, names, lowWins, rounds, people: [], here: [], seat: null, over: scene.toMove === null };
  }

  go(at) {
    const before = this.at;
    this.at = Math.max(0, Math.min(at, this.last));
    if (this.at === this.last) this.pause();
    const lay = snapshot(this.main);
    this.draw();
    if (this.at === before + 1) travel(this.main, lay, this.game.movers[before], this.eye.seat);
    const done = this.at ? `${seatName(this.view, this.game.movers[this.at - 1])}: ${spokenText(this.eye.log[this.at - 1])}. ` : "";
    announce(`Move ${this.at} of ${this.last}. ${done}${spokenText(bannerText(this.view))}.`);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
  }

  play() {
    this.pause();
    this.timer = setInterval(() => this.go(this.at + 1), Math.max(this.pace, SHORTEST));
  }

  /** Another pace, or a pause. */
  change(pace, paused) {
    this.pace = pace;
    if (paused) this.pause();
    else if (this.at === this.last) {
      this.go(0);
      this.play();
    } else this.play();
    this.draw();
  }

  jump(at) {
    this.pause();
    this.go(at);
  }

  pressed(event) {
    if (["INPUT", "SELECT"].includes(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[event.key];
    if (to !== undefined) this.jump(to);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.change(this.pace, this.timer !== null);
    else if (event.key === "+" || event.key === "-") this.change(nextPace(this.pace, event.key === "+" ? 1 : -1), this.timer === null);
    else return;
    event.preventDefault();
  }

  draw() {
    const { view } = this;
    show(this.main,
      h("div", { class: "about" },
        h("h1", {}, view.title, h("span", { class: "notes" }, ` ${view.rules}`)),
        h("p", { class: "facts" }, view.facts.join(" · "))),
      this.controls(),
      h("div", { class: "play" }, board(view),
        h("div", { class: "beside" }, this.scoreView(), this.logView())));
    const current = this.main.querySelector(".log [aria-current]");
    const list = current?.closest("ol");
    if (list) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  controls() {
    const { at, last, game } = this;
    const step = (key, label, to) => h("button", {
      type: "button", dataset: { key }, disabled: to < 0 || to > last || to === at, onclick: () => this.jump(to),
    }, label);
    const slider = h("input", { type: "range", min: "0", max: String(last), value: String(at), "aria-label": "Move", dataset: { key: "slider" },
      oninput: (event) => this.jump(Number(event.target.value)) });
    const names = [["", "all hands"], ...game.eyes.slice(1).map(({ seat }) => [seat, seatName(this.view, seat)])];
    const eyes = choice("View", names, this.eye.seat ?? "", { dataset: { key: "eyes" }, onchange: (event) => {
      this.eye = game.eyes.find(({ seat }) => String(seat ?? "") === event.target.value);
      this.draw();
    } });
    return h("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
      step("first", "First", 0), step("previous", "Back", at - 1), step("next", "Next", at + 1), step("last", "Last", last),
      paceView({ pace: this.pace, paused: this.timer === null, over: false, change: (pace, paused) => this.change(pace, paused) }),
      h("label", { class: "slider" }, slider, h("output", {}, `${at} of ${last}`)), names.length > 1 ? eyes.field : null);
  }

  /** The rounds that are over by now: the sheet of a match, and where the points of the last round came from. */
  scoreView() {
    const { view } = this;
    const rounds = view.rounds.filter((round) => round.move < this.at);
    const last = rounds.at(-1);
    if (!last) return null;
    const match = isMatch(view);
    const title = !view.over ? `Round ${rounds.length} is over`
      : winnerText(view, match ? view.seats.map((seat) => seat.score) : view.points, match ? "the match" : "the round");
    return h("section", { class: "panel", "aria-labelledby": "score" }, h("h2", { id: "score" }, title),
      match ? matchView({ ...view, rounds }) : h("p", { class: "notes" }, endText(view, last)),
      roundView(view, last, match));
  }

  logView() {
    const { at, game } = this;
    return h("section", { class: "panel log", "aria-labelledby": "log" }, h("h2", { id: "log" }, "Moves"),
      h("ol", {}, this.eye.log.map((text, number) => h("li", {},
        h("button", { type: "button", class: "plain", "aria-current": number + 1 === at ? "step" : null, dataset: { key: `log-${number}` },
          "aria-label": `After move ${number + 1}: ${seatName(this.view, game.movers[number])}, ${spokenText(text)}`, onclick: () => this.jump(number + 1) },
        h("b", {}, `${game.movers[number]} ${game.names[game.movers[number]] ?? ""}`.trim()), ` ${pretty(text)}`)))));
  }
}

/** The game that stands in this page, compressed. */
async function told() {
  const packed = Uint8Array.from(atob(document.getElementById("game").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

setDecks("#", "#");
told().then((game) => new Replay(document.getElementById("main"), game));
