// The rules and players of a game: a WebAssembly module, with all that it reads and writes in its memory.

const PAGE = 65536;
const ALIGNED = 16; // bytes
export const ILLEGAL = -1;
export const OVER = -2;

/** Open the module of a game; `about` describes it (`module.py`). */
export async function openMachine(content, about) {
  const memory = {};
  const { instance } = await WebAssembly.instantiate(content, { env: functionsOfC(memory) });
  memory.buffer = () => instance.exports.memory.buffer;
  return new Machine(instance.exports, about);
}

/** What a module may take from C. */
function functionsOfC(memory) {
  return {
    exp: Math.exp,
    log: Math.log,
    pow: Math.pow,
    fmod: (one, other) => one % other,
    strlen: (address) => BigInt(new Uint8Array(memory.buffer()).indexOf(0, address) - address),
  };
}

/** States are arrays of bytes. No function keeps one: what is given is copied, and what is returned is new. */
export class Machine {
  constructor(exports, about) {
    this.about = about;
    this.memory = exports.memory;
    this.call = Object.fromEntries(Object.entries(about.entries).map(([name, symbol]) => [name, exports[symbol]]));
    let end = Number(exports.__heap_base.value);
    const place = (size) => {
      end = Math.ceil(end / ALIGNED) * ALIGNED;
      const from = end;
      end += size;
      return from;
    };
    this.state = place(about.state);
    this.after = place(about.state);
    this.works = place(about.state);
    this.log = place(8 * about.log);
    this.observation = place(about.observation);
    this.mask = place(about.actions);
    this.generator = place(about.generator);
    this.words = place(8); // a word of dice, or an action
    this.rewards = place(8 * about.seats);
    this.cards = Object.fromEntries(Object.entries(about.cards).map(([name, size]) => [name, place(4 * size)]));
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
  }

  /** A state that holds rules and players only, after the deal of a seed (BigInt). */
  start(blank, seed) {
    this.put(this.state, blank);
    this.call.start_one(this.state, BigInt.asIntN(64, seed));
    return this.got(this.state, this.about.state);
  }

  /** The legal actions, ascending. */
  legal(state) {
    this.put(this.state, state);
    this.call.legal_one(this.state, this.mask);
    return this.legalHere();
  }

  /** The actions of the mask in the memory. */
  legalHere() {
    const found = [];
    for (let action = 0; action < this.about.actions; action++) if (this.bytes[this.mask + action]) found.push(action);
    return found;
  }

  /** The state after an action, and the seat to move next or OVER; null: the action is illegal. */
  apply(state, action) {
    this.put(this.state, state);
    const next = Number(this.call.apply_one(this.state, BigInt(action)));
    return next === ILLEGAL ? null : { state: this.got(this.state, this.about.state), next };
  }

  /** A log (the bytes of its numbers) with what an action did between two states added. */
  note(before, action, after, log) {
    const numbers = log.length / 8;
    if (numbers > this.about.log) throw new RangeError(`a log has at most ${this.about.log} numbers, not ${numbers}`);
    this.put(this.state, before);
    this.put(this.after, after);
    this.put(this.log, log);
    this.call.note_one(this.state, BigInt(action), this.after, this.works, this.log, BigInt(numbers));
    return this.got(this.log, log.length);
  }

  /** The rewards of all seats once the game is over, of a kind (0 margin, 1 points, 2 win). */
  rewards_of(state, kind, seats) {
    this.put(this.state, state);
    this.call.end_one(this.state, BigInt(kind), this.rewards, BigInt(seats));
    return Array.from({ length: seats }, (_, seat) => this.view.getFloat64(this.rewards + 8 * seat, true));
  }

  /** What a seat that is to move sees, in the layout that is common to all games, and its legal actions. */
  see(state, seat) {
    this.put(this.state, state);
    this.call.observe_one(this.state, BigInt(seat), this.observation, this.mask);
    this.view.setBigInt64(this.words, 0n, true); // the first row, of one
    this.call.write_cards(this.observation, this.observation, this.words, ...Object.values(this.cards), 0n, 1n, 1n, 1n);
    const seen = { legal: this.legalHere() };
    for (const [name, size] of Object.entries(this.about.cards)) seen[name] = new Float32Array(this.memory.buffer.slice(this.cards[name], this.cards[name] + 4 * size));
    return seen;
  }

  /** What a compiled player does at a seat that is to move; `dice` is a BigInt of 64 random bits. */
  decide(state, seat, player, dice) {
    const kind = this.about.players.indexOf(player);
    if (kind < 0) throw new RangeError(`there is no player ${player}; there are ${this.about.players.join(", ")}`);
    this.put(this.state, state);
    this.call.observe_one(this.state, BigInt(seat), this.observation, this.mask);
    this.view.setBigUint64(this.words, BigInt.asUintN(64, dice), true);
    this.bytes.fill(0, this.generator, this.generator + this.about.generator);
    // One row: the action is written where the dice were, which have been read by then.
    this.call.decide_many(BigInt(kind), this.observation, this.mask, this.words, this.generator, this.words, 1n);
    return Number(this.view.getBigInt64(this.words, true));
  }

  put(address, content) {
    this.bytes.set(content, address);
  }

  got(address, size) {
    return this.bytes.slice(address, address + size);
  }
}
