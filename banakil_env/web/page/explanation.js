// What players think of a decision: what each would do, how likely, and what it expects of each move.

import { h } from "./dom.js";
import { pretty } from "./cards.js";

const ROWS = 12;

/** A table of the moves, best first. `played` is the move of the record, if any. */
export function explanation(found, played = null) {
  return opinions([found], played);
}

/** What players think of one decision, side by side: the rows are moves, in the order of the first player. */
export function opinions(found, played = null) {
  const moves = new Map();
  for (const each of found) for (const row of each.rows) if (!moves.has(row.action)) moves.set(row.action, row.text);
  const worth = (each, action) => each.rows.find((row) => row.action === action) ?? {};
  const shown = [...moves.keys()].filter((action, place) => place < ROWS || action === played || found.some((each) => each.action === action));
  const columns = found.flatMap((each) => columnsOf(each, found.length > 1));
  const bases = [...new Set(found.map(({ basis }) => basis).filter(Boolean))];
  return h("div", { class: "explanation" },
    found.map((each) => h("p", {}, h("b", {}, each.called), " would ", h("b", {}, pretty(each.text)),
      each.value === null ? "" : `; value ${signed(each.value, 2)} in the units of its training`)),
    columns.length ? h("table", {},
      h("caption", {}, [
        columns.some(({ of }) => of === "margin") ? "Margin: expected points, ± 95 %, and the number of playouts" : "",
        columns.some(({ of }) => of === "probability") ? "Probability: how likely the player makes the move" : ""].filter(Boolean).join(". ")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), columns.map(({ title }) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, shown.map((action) => h("tr", { class: action === found[0].action ? "best" : "" },
        h("th", { scope: "row" }, pretty(moves.get(action)), action === played ? h("span", { class: "pill" }, "played") : null,
          found.length > 1 ? found.filter((each) => each.action === action).map((each) => h("span", { class: "pill would" }, each.called)) : null),
        columns.map(({ each, cell }) => h("td", {}, cell(worth(each, action)))))))) : null,
    bases.map((basis) => h("p", { class: "notes" }, sentence(basis))),
    moves.size > shown.length ? h("p", { class: "notes" }, `and ${moves.size - shown.length} more moves`) : null);
}

/** What a player says of moves: its margins, its probabilities; nothing where it says neither. */
function columnsOf(each, named) {
  const has = (name) => each.rows.some((row) => row[name] !== null);
  const title = (text) => (named ? [`${each.called}: `, text.toLowerCase()] : text);
  const margin = (row) => (row.margin === null || row.margin === undefined ? "" : [
    `${signed(row.margin, 1)}${row.error === null ? "" : ` ± ${row.error.toFixed(1)}`}`, h("span", { class: "notes" }, ` (${row.playouts})`)]);
  const share = (row) => (row.probability === null || row.probability === undefined ? "" : bar(row.probability));
  return [
    has("probability") ? { each, of: "probability", title: title("Probability"), cell: share } : null,
    has("margin") ? { each, of: "margin", title: title("Margin"), cell: margin } : null].filter(Boolean);
}

function bar(share) {
  const meter = h("span", { class: "bar", "aria-hidden": "true" });
  meter.style.inlineSize = `${Math.round(60 * share)}px`;
  return h("span", { class: "share" }, meter, `${(100 * share).toFixed(1)} %`);
}

/** What figures rest on, as a sentence. */
export function sentence(basis) {
  return `${basis[0].toUpperCase()}${basis.slice(1).replaceAll("`", "")}.`;
}

/** "+3.2" or "−3.2". */
export function signed(value, places) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(places)}`;
}
