// What a player thinks of a decision: what it would do, how likely, and what it expects of each move.

import { h } from "./dom.js";
import { pretty } from "./cards.js";

const ROWS = 12;

/** A table of the moves, best first. `played` is the move of the record, if any. */
export function explanation(found, played = null) {
  const some = (name) => found.rows.some((row) => row[name] !== null);
  const [likely, worth] = [some("probability"), some("margin")];
  const rows = found.rows.slice(0, ROWS);
  const ours = found.rows.find((row) => row.action === played);
  if (ours && !rows.includes(ours)) rows.push(ours);
  return h("div", { class: "explanation" },
    h("p", {}, h("b", {}, found.player), " would ", h("b", {}, pretty(found.text)),
      found.value === null ? "" : `; value ${signed(found.value, 2)} in the units of its training`),
    likely || worth ? h("table", {},
      h("caption", {}, worth ? "Expected margin in points, from playouts" : "How likely it would do each move"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"),
        likely ? h("th", { scope: "col" }, "Probability") : null,
        worth ? [h("th", { scope: "col" }, "Margin"), h("th", { scope: "col" }, "Playouts")] : null)),
      h("tbody", {}, rows.map((row) => h("tr", { class: row.action === found.action ? "best" : "" },
        h("th", { scope: "row" }, pretty(row.text), row.action === played ? h("span", { class: "pill" }, "played") : null),
        likely ? h("td", {}, row.probability === null ? "" : bar(row.probability)) : null,
        worth ? [
          h("td", {}, row.margin === null ? "" : `${signed(row.margin, 1)}${row.error === null ? "" : ` ± ${row.error.toFixed(1)}`}`),
          h("td", {}, row.playouts === null ? "" : String(row.playouts))] : null)))) : null,
    found.rows.length > ROWS ? h("p", { class: "notes" }, `and ${found.rows.length - ROWS} more moves`) : null);
}

function bar(share) {
  const meter = h("span", { class: "bar", "aria-hidden": "true" });
  meter.style.inlineSize = `${Math.round(60 * share)}px`;
  return h("span", { class: "share" }, meter, `${(100 * share).toFixed(1)} %`);
}

function signed(value, places) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(places)}`;
}
