// Tables in this page, where the server would keep them: their games, the players' moves, and a journal in the browser.

import { addMachine, attribute, called, errorText, found, machineOf, method, names } from "./games.js";
import { openMachine } from "./machine.js";
import { hasNetwork, likeliest, openNetwork } from "./network.js";
import { packed } from "./packed.js";
import { program } from "./program.js";
import { py } from "./runtime.js";
import { plain } from "./values.js";

const WATCH = -1; // the "seat" of onlookers at a table of players alone
const KEPT = "offline-table-"; // in the browser's storage, before the key of a table
const MOST_KEPT = 12; // as many as the lobby lists
const SLICE = 12; // milliseconds of moves without a pause before the page is drawn again

export class Refused extends Error {
  constructor(message, status = 409) {
    super(message);
    this.status = status;
  }
}

const open = new Map(); // tables by key
const opening = new Map(); // machines that are being made, by game

/** Make the rules and players of a game ready, and the network of all games if the page has it. */
async function prepare(name) {
  if (!opening.has(name)) {
    opening.set(name, (async () => {
      const { about, module } = packed.games[name];
      addMachine(name, await openMachine(await module(), about));
      if (packed.network && !hasNetwork()) openNetwork(packed.network.about, await packed.network.weights());
    })());
  }
  await opening.get(name);
}

/** What a function of the program gives; its errors become `Refused`. */
export function asked(ask) {
  try {
    return ask();
  } catch (error) {
    const text = errorText(error);
    if (text === null) throw error;
    throw new Refused(text);
  }
}

function random(bits) {
  return crypto.getRandomValues(new BigUint64Array(1))[0] >> BigInt(64 - bits);
}

/** A new table; gives its key by seat. `wanted` is what the lobby asks a server for. */
export async function create(wanted) {
  const options = Object.fromEntries(["rules", "partners", "episode"].map((name) => [name, wanted[name]])
    .filter(([, value]) => value !== undefined && value !== null && value !== ""));
  const journal = {
    game: wanted.game, options, seats: wanted.seats, seed: String(wanted.seed ?? random(64)), practice: Boolean(wanted.practice),
    pause: wanted.pause ?? 600, moves: [], stopped: false,
  };
  const table = await Table.of(random(64).toString(36), journal);
  table.save();
  open.set(table.key, table);
  table.run();
  return { [table.seat]: table.key };
}

/** The table of a key, from the browser's storage where it is not open. */
export async function tableOf(key) {
  if (!open.has(key)) {
    const kept = localStorage.getItem(KEPT + key);
    if (kept === null) throw new Refused("there is no such table in this browser", 404);
    const table = await Table.of(key, JSON.parse(kept));
    if (!open.has(key)) {
      open.set(key, table);
      table.run();
    }
  }
  return open.get(key);
}

class Table {
  static async of(key, journal) {
    await prepare(journal.game);
    return new Table(key, journal);
  }

  constructor(key, journal) {
    Object.assign(this, { key, journal, version: 1, halted: false, failed: "", rematch: null, listeners: new Set(), running: false });
    this.game = found(journal.game);
    this.machine = machineOf(journal.game);
    this.players = journal.seats.map(({ player }) => player ?? null);
    const people = this.players.flatMap((player, seat) => (player === null ? [seat] : []));
    this.seat = people[0] ?? WATCH;
    this.session = asked(() => this.begin());
    for (const action of journal.moves) this.play(action);
  }

  /** The session with the deal of the journal's seed. */
  begin() {
    const { options, seats, seed } = this.journal;
    const dealt = method(called(program.Plain, [this.game]), "new", seats.length, names({ ...options, seed: Number(seed) <= Number.MAX_SAFE_INTEGER ? Number(seed) : BigInt(seed) }));
    const sitting = seats.map(({ player, name }, seat) => (player
      ? called(program.Seat, [py.namespace({ name: player }), name || player])
      : called(program.Seat, [null, name || `person ${seat}`])));
    return called(program.Session, [this.game, method(py.np.asarray(dealt), "reshape", 1), sitting, BigInt(seed)]);
  }

  get toMove() {
    return attribute(this.session, "seat_to_move");
  }

  get isOver() {
    return this.journal.stopped || this.toMove === null;
  }

  /** This table, as the functions of the program take it. */
  get told() {
    const { journal, rematch, seat } = this;
    return py.namespace({
      session: this.session, is_over: this.isOver, version: this.version, followers: py.dict([[seat, 1]]), practice: journal.practice,
      adviser: py.namespace({ name: this.adviser }), stopped: journal.stopped, failed: this.failed, why_stopped: "", trouble: "",
      rematch: py.dict(rematch === null ? [] : [[seat, rematch]]), pace: py.namespace({ pause: journal.pause / 1000, halted: this.halted }),
    });
  }

  /** The player that gives hints: the last that is listed, the strongest. */
  get adviser() {
    return this.machine.about.players.at(-1);
  }

  view(since) {
    return plain(asked(() => called(program.table_view, [this.told, this.seat, since])));
  }

  save() {
    try {
      localStorage.setItem(KEPT + this.key, JSON.stringify(this.journal));
      const keys = Object.keys(localStorage).filter((each) => each.startsWith(KEPT));
      const listed = new Set(JSON.parse(localStorage.getItem("tables") ?? "[]").map(({ key }) => KEPT + key));
      for (const key of keys.filter((each) => !listed.has(each) && each !== KEPT + this.key).slice(0, Math.max(0, keys.length - MOST_KEPT))) localStorage.removeItem(key);
    } catch { /* no storage: the game lives as long as the page */ }
  }

  changed() {
    this.version++;
    this.save();
    for (const listener of this.listeners) listener();
  }

  /** Carry out an action. Refused: it is illegal, and nothing has changed. */
  play(action) {
    asked(() => method(this.session, "accept", action, method(this.session, "after", action)));
  }

  // What a person does ---------------------------------------------------------------------------------------------------

  move(action, version) {
    if (this.isOver) throw new Refused("the game is over");
    if (this.toMove !== this.seat) throw new Refused("it is another seat's turn");
    if (version > this.version) throw new Refused("the table has changed in the meantime: reload it");
    this.play(action);
    this.journal.moves.push(action);
    this.changed();
    this.run();
  }

  undo() {
    const first = this.journal.practice && this.seat !== WATCH ? asked(() => method(this.session, "last_turn_of", this.seat)) : null;
    if (first === null) throw new Refused("there is no move of yours to take back");
    method(this.session, "back_to", first);
    this.journal.moves.length = first;
    this.failed = "";
    this.changed();
    this.run();
  }

  hint() {
    if (this.isOver || this.toMove !== this.seat) throw new Refused("hints are given on your turn");
    const action = this.machine.decide(this.bytes, this.seat, this.adviser, random(64));
    return plain(called(program.explanation_view, [this.game, this.adviser, called(program.Explanation, [action])]));
  }

  why(text) {
    return asked(() => called(program.why, [this.told, this.seat, text]));
  }

  stop() {
    this.journal.stopped = true;
    this.changed();
  }

  record() {
    return asked(() => method(this.session, "record"));
  }

  rules() {
    return asked(() => called(program.rules_text_of, [this.game, attribute(this.session, "state")]));
  }

  setPace(pause, halted) {
    this.journal.pause = pause;
    this.halted = halted;
    this.wake?.();
    this.changed();
    this.run();
  }

  /** The next game of the same players, each one seat further. */
  async again() {
    if (this.rematch === null) {
      const { game, options, seats, practice, pause } = this.journal;
      const next = [seats.at(-1), ...seats.slice(0, -1)];
      [this.rematch] = Object.values(await create({ game, ...options, seats: next, practice, pause }));
      this.changed();
    }
    return this.rematch;
  }

  // Players --------------------------------------------------------------------------------------------------------------

  get bytes() {
    return method(attribute(this.session, "state"), "tobytes").content;
  }

  get playerMoves() {
    return !this.isOver && !this.failed && this.players[this.toMove] !== null;
  }

  /** What the player of a seat does. */
  decided(seat) {
    const { journal, machine, players } = this;
    if (players[seat] !== packed.network?.name) return machine.decide(this.bytes, seat, players[seat], random(64));
    return likeliest(machine.see(this.bytes, seat), packed.games[journal.game].moves);
  }

  /** One move of the player whose turn it is. */
  step() {
    if (!this.playerMoves) throw new Refused("no player is to move");
    const seat = this.toMove;
    const action = this.decided(seat);
    try {
      this.play(action);
      this.journal.moves.push(action);
    } catch (error) {
      this.failed = `${this.players[seat]}: ${error.message}`;
    }
  }

  /** Let the players move until the person is to move. */
  async run() {
    if (this.running) return;
    this.running = true;
    while (this.playerMoves && !this.halted) {
      const before = this.version;
      await new Promise((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, this.journal.pause);
      });
      if (this.version !== before && this.journal.pause) continue; // a turn was taken back, or the pace was changed
      const end = performance.now() + SLICE;
      do if (this.playerMoves && !this.halted) this.step(); while (!this.journal.pause && this.playerMoves && performance.now() < end);
      this.changed();
    }
    this.running = false;
  }
}
