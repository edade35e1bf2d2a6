// Play the games of games.json by the module next to it; see wasm_games.py.

import { readFileSync } from "node:fs";
import { openMachine, OVER } from "./machine.mjs";
import { likeliest, openNetwork } from "./network.mjs";

const { about, games, network } = JSON.parse(readFileSync("games.json", "utf-8"));
openNetwork(network.about, readFileSync("network.bin"));
const machine = await openMachine(readFileSync("module.wasm"), about);

function played({ start, seed, players, dice }) {
  let state = machine.start(Buffer.from(start, "base64"), BigInt(seed));
  const actions = [];
  for (const bits of dice) {
    const seat = seats(state);
    const action = players[seat] === network.name ? likeliest(machine.see(state, seat), network.moves)
      : machine.decide(state, seat, players[seat], BigInt(bits));
    const made = machine.apply(state, action);
    if (made === null) throw new Error(`${action} is illegal after ${actions}`);
    actions.push(action);
    state = made.state;
    toMove = made.next;
    if (toMove === OVER) break;
  }
  const rewards = machine.rewards_of(state, 0, players.length);
  toMove = null;
  return { actions, end: Buffer.from(state).toString("base64"), rewards };
}

let toMove = null;

/** The seat to move: the first is found by a look at the state, others are what the last move gave. */
function seats(state) {
  return toMove ?? state[about.seatAt];
}

process.stdout.write(JSON.stringify(games.map(played)));
