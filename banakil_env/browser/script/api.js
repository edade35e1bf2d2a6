// The requests of the page, answered in the page itself. `web/page/api.js` sends the same ones to a server.

import { Refused, asked, create, tableOf } from "./tables.js";
import { called, names } from "./games.js";
import { packed } from "./packed.js";
import { program } from "./program.js";

export const SERVED = false;

const ACTS = { // what a page asks of its table: each gets the table and the body of the request
  move: (table, { action, version }) => table.move(action, version),
  undo: (table) => table.undo(),
  why: (table, { text }) => ({ why: table.why(text) }),
  hint: (table) => table.hint(),
  stop: (table) => table.stop(),
  pace: (table, { pause, halted }) => table.setPace(pause, Boolean(halted)),
  step: (table) => {
    table.step();
    table.changed();
  },
  rematch: async (table) => ({ key: await table.again() }),
};

export async function get(path, key) {
  const [address, query] = path.split("?");
  const wanted = new URLSearchParams(query ?? "");
  switch (address) {
    case "/api/games": return Object.values(packed.games).map(({ lobby }) => lobby);
    case "/api/rules": return { text: rulesOf(wanted) };
    case "/api/table": return (await tableOf(key)).view(Number(wanted.get("since") ?? 0));
    case "/api/table/rules": return { text: (await tableOf(key)).rules() };
    default: throw new Refused(`there is nothing at ${address}`, 404);
  }
}

export async function getText(path, key) {
  if (path !== "/api/table/record") throw new Refused(`there is nothing at ${path}`, 404);
  return (await tableOf(key)).record();
}

export async function post(path, body = {}, key = undefined) {
  if (path === "/api/tables") return { keys: await create(body) };
  const table = await tableOf(key);
  return (await ACTS[path.replace("/api/table/", "")](table, body)) ?? { version: table.version };
}

/** The rules of a table that is not set up yet. */
function rulesOf(wanted) {
  const partners = { yes: true, no: false }[wanted.get("partners")];
  const options = { rules: wanted.get("rules"), num_players: Number(wanted.get("seats")), episode: wanted.get("episode"), ...(partners === undefined ? {} : { partners }) };
  return asked(() => called(program.rules_text, [wanted.get("game"), names(options)]));
}

/** Follow a seat: `onView` for everything that happens, `onState` with "gone" (and why). Gives a function that ends it. */
export function follow(key, seen, onView, onState) {
  let left = false;
  let leave = () => {};
  tableOf(key).then((table) => {
    const listener = () => { if (!left) onView(table.view(seen.moves)); };
    table.listeners.add(listener);
    leave = () => table.listeners.delete(listener);
    if (left) leave();
    else if (table.version !== seen.version) listener();
  }, (error) => onState("gone", error.message));
  return () => {
    left = true;
    leave();
  };
}
