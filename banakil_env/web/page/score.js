// The score: who has won, where the points of a round came from line by line, and the sheet of a match.

import { h } from "./dom.js";
import { pretty } from "./cards.js";

const MANY = 3; // sides that have a column each

const number = (points) => String(points).replace("-", "−");

/** "You", or a player's name with the seat where several are called so. */
export function who(view, seat) {
  if (seat === view.seat) return "You";
  const name = view.names[seat] ?? `Seat ${seat}`;
  return view.names.filter((each) => each === name).length > 1 ? `${name} (seat\u00a0${seat})` : name;
}

/** The seats of each side, in the order of the sides' first seats. */
function sides(view) {
  return [...Map.groupBy(view.seats, (seat) => seat.side).values()].map((seats) => seats.map((seat) => seat.seat));
}

const names = (view, seats) => seats.map((seat) => who(view, seat)).join(" and ");

/** Who has the best of some points, in words. */
export function winnerText(view, points, of) {
  const better = view.lowWins ? Math.min(...points) : Math.max(...points);
  const best = sides(view).filter(([seat]) => points[seat] === better);
  if (best.length === sides(view).length) return `Nobody wins ${of}`;
  const seats = best.flat();
  if (best.length > 1) return `${names(view, seats)} share ${of} with ${number(better)} points`;
  return `${names(view, seats)} ${seats.length > 1 || seats[0] === view.seat ? "win" : "wins"} ${of} with ${number(better)} points`;
}

/** How a round ended, in a sentence. */
export function endText(view, round) {
  const out = round.text.match(/^out, seat ([0-9]+)$|^seat ([0-9]+) is out$/);
  const text = out ? `${who(view, Number(out[1] ?? out[2]))} went out`
    : round.text.replace("_", " ").replace(/,? ?seat ([0-9]+)$/, (_, seat) => ` by ${who(view, Number(seat)).replace(/^You$/, "you")}`);
  return text ? pretty(`${text[0].toUpperCase()}${text.slice(1)}.`) : "";
}

/**
 * The points of a round, line by line: a column a side, or a row where there are many; where there are many and few of
 * them score, only these. `told`: who has won it, above.
 */
export function roundView(view, round, told = true) {
  const every = sides(view);
  const scoring = every.filter(([seat]) => round.lines[seat].some((line) => line.points));
  const few = every.length > MANY && scoring.length > 0 && scoring.length <= MANY;
  const all = few ? scoring : every;
  const words = [...new Set(round.lines.flatMap((lines) => lines.map((line) => line.text)))];
  const at = (seat, text) => {
    const points = round.lines[seat].filter((line) => line.text === text).reduce((sum, line) => sum + line.points, 0);
    return h("td", {}, points ? number(points) : "");
  };
  const sum = ([seat]) => h("td", {}, h("b", {}, number(round.points[seat])));
  const row = (head, cells) => h("tr", {}, h("th", { scope: "row" }, head), cells);
  const head = (first, rest) => h("thead", {}, h("tr", {}, [first, ...rest].map((text) => h("th", { scope: "col" }, text))));
  const turned = all.length > MANY && words.length < all.length; // a row a side: a column a side would be too wide
  return h("div", { class: "sheet", tabindex: "0", role: "group", "aria-label": "Points" },
    told ? h("p", {}, h("b", {}, `${winnerText(view, round.points, "the round")}.`), ` ${endText(view, round)}`) : null,
    h("table", { class: turned ? "scores turned" : "scores" },
      h("caption", {}, view.lowWins ? "Points; fewer are better" : "Points"),
      turned ? [
        head("Player", [...words, "Total"]),
        h("tbody", {}, all.map((seats) => row(names(view, seats), [...words.map((text) => at(seats[0], text)), sum(seats)]))),
      ] : [
        head("For", all.map((seats) => names(view, seats))),
        h("tbody", {}, words.map((text) => row(text, all.map(([seat]) => at(seat, text))))),
        h("tfoot", {}, row("Total", all.map(sum))),
      ]),
    few && scoring.length < every.length ? h("p", { class: "notes" }, "The others score nothing.") : null);
}

/** The sheet of a match: a row a round, and the scores. */
export function matchView(view) {
  const all = sides(view);
  const sheet = h("table", { class: "scores" },
    h("caption", {}, view.lowWins ? "Round by round; fewer points are better" : "Round by round"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Round"), all.map((seats) => h("th", { scope: "col" }, names(view, seats))))),
    h("tbody", {}, view.rounds.map((round, place) => h("tr", {}, h("th", { scope: "row" }, String(place + 1)),
      all.map(([seat]) => h("td", {}, number(round.points[seat])))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Score"), all.map(([seat]) => h("td", {}, h("b", {}, number(view.seats[seat].score)))))));
  return h("div", { class: "sheet", tabindex: "0", role: "group", "aria-label": "Round by round" }, sheet);
}

export const isMatch = (view) => view.seats.some((seat) => seat.score !== null);
