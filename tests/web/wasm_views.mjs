// What a page without a server shows of the games of games.json, after every move; see wasm_games.py.

import { readFileSync } from "node:fs";
import { addMachine, attribute, called, errorText, found, method, names } from "./games.js";
import { openMachine } from "./machine.js";
import { program } from "./program.js";
import { py } from "./runtime.js";
import { plain } from "./values.js";

const { game: name, about, games } = JSON.parse(readFileSync("games.json", "utf-8"));
addMachine(name, await openMachine(readFileSync("module.wasm"), about));

function shown({ seats, seed, options, players, steps, typed, preset }) {
  const game = found(name);
  const dealt = method(called(program.Plain, [game]), "new", seats, names({ ...options, seed }));
  const sitting = players.map((player) => called(program.Seat, [py.namespace({ name: player }), player]));
  const session = called(program.Session, [game, method(py.np.asarray(dealt), "reshape", 1), sitting, seed]);
  const table = () => py.namespace({
    session, is_over: attribute(session, "seat_to_move") === null, version: 7, followers: py.dict([[0, 1]]), practice: true,
    adviser: py.namespace({ name: "expert" }), stopped: false, failed: "", why_stopped: "", trouble: "", rematch: py.dict([]),
    pace: py.namespace({ pause: 0.6, halted: false }),
  });
  const made = steps.map(([action, viewer, since]) => {
    method(session, "accept", action, method(session, "after", action));
    return plain(called(program.table_view, [table(), viewer, since]));
  });
  const seat = attribute(session, "seat_to_move") ?? 0;
  return {
    views: made,
    record: method(session, "record"),
    why: typed.map((text) => called(program.why, [table(), seat, text])),
    hint: plain(called(program.explanation_view, [game, players[0], called(program.Explanation, [0])])),
    rules: called(program.rules_text, [name, names({ ...options, rules: preset, num_players: seats })]),
    refused: refusal(() => method(called(program.Plain, [game]), "new", seats, names({ rules: "no such rules" }))),
  };
}

function refusal(ask) {
  try {
    ask();
  } catch (error) {
    return errorText(error);
  }
  return null;
}

process.stdout.write(JSON.stringify(games.map(shown)));
