// The translated program, connected with the WebAssembly modules of its games.

import { Machine } from "./machine.js";
import { py } from "./runtime.js";
import { program } from "./program.js";

const machines = {}; // by the name of a game

/** The machine of a game whose page has opened it. */
export function machineOf(name) {
  if (!(machines[name] instanceof Machine)) throw new Error(`the game ${name} has not been opened`);
  return machines[name];
}

export function addMachine(name, machine) {
  machines[name] = machine;
}

/** A game, as Python's `find` gives it: by its name, or itself. */
export function found(game) {
  return typeof game === "string" ? program.games[game] : game;
}

const nameOf = (game) => game.d.name;

py.native.find = found;
py.native.scoring = (game) => program.modules.scoring[nameOf(game)];
py.native.rules_page = (game) => program.pages[nameOf(game)];
py.native.kernels_of = (game) => {
  const machine = machineOf(nameOf(game));
  return py.namespace({
    start_one: (states, seed) => write(states, machine.start(states.bytes(), BigInt(seed))),
    legal_one: (states, mask) => {
      mask.fill(0);
      for (const action of machine.legal(states.bytes())) mask.setItem(action, 1);
    },
    apply_one: (states, action) => {
      const made = machine.apply(states.bytes(), Number(action));
      if (made === null) return -1;
      write(states, made.state);
      return made.next;
    },
  });
};
py.native.past_entries = (game) => {
  const machine = machineOf(nameOf(game));
  return py.namespace({
    note_one: (before, action, after, _works, log) => write(log, machine.note(before.bytes(), Number(action), after.bytes(), log.bytes())),
  });
};

function write(cells, bytes) {
  new Uint8Array(cells.view.buffer, cells.view.byteOffset + cells.offset, bytes.length).set(bytes);
}

class Names {
  constructor(given) {
    this.pairs = Object.entries(given);
  }
}

/** Arguments by name, as the last of the arguments. */
export function names(given) {
  return new Names(given);
}

function split(args) {
  const last = args.at(-1);
  return last instanceof Names ? [args.slice(0, -1), last.pairs] : [args, []];
}

/** Call a function of the program. */
export function called(f, args) {
  return py.kw(f, ...split(args));
}

/** Call a method of an object of the program. */
export function method(owner, name, ...args) {
  return py.m(owner, name, ...split(args));
}

export function attribute(owner, name) {
  return py.get(owner, name);
}

/** The text of an error of Python; null: the error is not one of Python's. */
export function errorText(error) {
  return error?.cls ? py.str(error) : null;
}
