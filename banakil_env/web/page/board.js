// A table: seats round the middle, the viewer's below. Draws what the server sends, for play and for study alike.

import { h } from "./dom.js";
import { face, lying, pretty, spoken } from "./cards.js";
import { endText } from "./score.js";

const SHOWN_NEXT = 8;
const PILE_ROW = 20; // cards of the pile side by side, at most

/**
 * The table as an element.
 * `hand` draws the viewer's cards where they can be chosen; `heap(area)` and `meld(meld)` may give what a click does:
 * {label, act}. `told` are the last moves of the others, a line each. `small`: one of several tables, of that name.
 */
export function board(view, { hand = null, heap = () => null, meld = () => null, told = [], small = null } = {}) {
  const first = view.viewer ?? 0;
  const count = view.seats.length;
  const beside = [0, 0, 0, 0, 1, 1, 1, 2, 2][count] ?? 2;
  const others = view.seats.map((_, step) => (first + step) % count).slice(1);
  const left = others.slice(0, beside).reverse();
  const above = others.slice(beside, others.length - beside);
  const right = others.slice(others.length - beside);
  const column = (name, seats) =>
    seats.length ? h("div", { class: `column ${name}` }, seats.map((seat) => seatView(view, seat, { meld, small }))) : null;
  const about = small ? { role: "group", "aria-label": small }
    : { role: "region", "aria-label": "The table", tabindex: "0", dataset: { scroll: "board" } };
  return h("div", { class: `board felted ${beside && !small ? "wide" : "narrow"}`, ...about },
    column("above", above), column("left", left), middle(view, heap, told), column("right", right),
    h("div", { class: "column own" }, seatView(view, first, { hand, meld, small })));
}

/** "Seat 2 (Ann)"; a record may not say who sat there. */
export function seatName(view, seat) {
  const name = view.names?.[seat];
  return name ? `Seat ${seat} (${name})` : `Seat ${seat}`;
}

function seatView(view, number, { hand = null, meld, small }) {
  const seat = view.seats[number];
  const moves = view.toMove === number;
  const partners = new Set(view.seats.map((each) => each.side)).size < view.seats.length;
  const notes = notesOf(view, number);
  const figures = [];
  if (view.points.length) figures.push(["round", view.points[number]]);
  if (seat.score !== null) figures.push(["score", seat.score]);
  const melds = view.melds.filter((each) => each.owner === number);
  const areas = view.areas.filter((area) => area.owner === number && area.size);
  return h(small ? "div" : "section", { // of small boards no landmarks: there are many of one name
    role: small ? "group" : null,
    class: `seat${moves ? " moves" : ""}${partners ? ` side side-${seat.side % 4}` : ""}`,
    "aria-label": `${seatName(view, number)}, ${notes.join(", ")}${moves ? ", to move" : ""}`,
    dataset: { seat: number },
  },
  h("div", { class: "head" },
    h("span", { class: "name" }, view.names?.[number] || `Seat ${number}`),
    moves ? h("span", { class: "pill" }, "to move") : null,
    h("span", { class: "notes" }, notes.join(" · ")),
    figures.length ? h("span", { class: "figures" },
      figures.map(([label, figure]) => h("span", {}, `${label} `, h("b", {}, String(figure).replace("-", "−")), " "))) : null),
  h("div", { class: "cards" },
    hand === "" ? null : hand ?? handView(seat),
    melds.length || areas.length ? h("div", { class: "melds", dataset: { drop: "melds", place: `melds-${number}` } },
      areas.map((area) => (area.cards.length
        ? labelled(area.cards.map((card) => lying(card)), area.title) : hiddenArea(area))),
      melds.map((each) => meldView(each, meld(each)))) : null));
}

/** What is to be known of a seat, in short words. */
export function notesOf(view, number) {
  const seat = view.seats[number];
  const notes = view.names?.[number] ? [`seat ${number}`] : [];
  if (view.viewer === number) notes.push("you");
  else if (view.viewer !== null && view.seats[view.viewer].side === seat.side) notes.push("partner");
  if (view.people?.includes(number) && view.viewer !== number && !view.over) {
    notes.push(view.here.includes(number) ? "here" : "not here");
  }
  notes.push(...seat.notes.map(pretty), seat.size === 1 ? "1 card" : `${seat.size} cards`);
  return notes;
}

function handView(seat) {
  if (seat.hand !== null) {
    const cards = seat.hand.map((group) => h("div", { class: "group", role: "group" }, group.map((card) => lying(card))));
    return h("div", { class: "hand open", dataset: { place: `cards-${seat.seat}` } }, seat.size ? cards : h("span", { class: "notes" }, "no cards"));
  }
  const hidden = seat.size - Math.min(seat.known.length, seat.size);
  return h("div", { class: "hand closed", dataset: { place: `cards-${seat.seat}` } },
    seat.known.length ? h("div", { class: "group", role: "group", "aria-label": "known cards" }, seat.known.map((card) => lying(card))) : null,
    hidden ? h("div", { class: "group backs", role: "img", "aria-label": `${hidden} face down` },
      Array.from({ length: hidden }, () => h("span", { class: "card", dataset: { card: "back" } }, face(null)))) : null,
    seat.size ? null : h("span", { class: "notes" }, "no cards"));
}

function meldView(meld, click) {
  const cards = meld.cards.map((card, place) => {
    const stands = meld.standsFor[place];
    return h("span", {
      class: stands ? "card wild" : "card",
      dataset: { card },
      role: "img",
      "aria-label": stands ? `${spoken(card)} for ${spoken(stands)}` : spoken(card),
    }, face(card), stands ? h("span", { class: "stands", "aria-hidden": "true" }, breakable(stands)) : null);
  });
  const words = [meld.number === null ? null : `${meld.number}`, pretty(meld.note) || null].filter(Boolean).join(" · ");
  return labelled(cards, words, click, meld.number);
}

function hiddenArea(area) {
  return h("div", { class: "meld", role: "img", "aria-label": `${area.title}, ${area.size} face down` },
    h("span", { class: "group backs" }, Array.from({ length: area.size }, () => h("span", { class: "card" }, face(null)))),
    h("span", { class: "notes" }, `${area.title} ${area.size}`));
}

function labelled(cards, label, click = null, number = null) {
  const content = [h("span", { class: "row" }, cards), label ? h("span", { class: "notes" }, clauses(label)) : null];
  const dataset = number === null ? {} : { drop: `meld-${number}`, key: `meld-${number}` };
  if (!click) return h("div", { class: "meld", role: "group", "aria-label": label ? `meld ${label}` : "meld", dataset }, content);
  return h("button", { class: "meld", type: "button", "aria-label": click.label, onclick: click.act, dataset }, content);
}

/** A card in a text, its suit below its rank where the strip of a card is too narrow for both. */
function breakable(card) {
  const text = pretty(card);
  return [text.slice(0, -1), h("wbr"), text.slice(-1)];
}

/** A text that is broken into lines between its clauses, if it has to be. */
function clauses(text) {
  return text.split(/(?<=[,·]) /).flatMap((clause) => [h("span", { class: "clause" }, clause), " "]);
}

function middle(view, heap, told) {
  const heaps = view.areas.filter((area) => area.owner === null);
  const stock = heaps.filter((area) => area.name === "stock");
  const others = heaps.filter((area) => area.name !== "stock");
  return h("div", { class: "column middle" },
    h("p", { class: view.toMove === null ? "banner over" : "banner" }, bannerText(view)),
    told.length ? h("ul", { class: "told", "aria-label": "The last moves of the others" }, told.map((line) => h("li", {}, line))) : null,
    h("div", { class: "heaps" },
      stock.map((area) => stockView(area, heap(area))),
      others.map((area) => pileView(area, heap(area)))));
}

export function bannerText(view) {
  if (view.toMove === null) return `Over: ${endText(view, { text: view.result }).replace(/[.]$/, "")}`;
  const who = view.toMove === view.viewer ? "You are" : `${seatName(view, view.toMove)} is`;
  return view.stopped ? "The table has been closed" : `${who} to ${pretty(view.decision)}`;
}

function stockView(area, click) {
  const back = area.size ? h("span", { class: "card deep" }, face(null)) : h("span", { class: "card none" });
  const next = area.cards.slice(-SHOWN_NEXT).reverse();
  return h("div", { class: "heap stock", dataset: { place: "stock" } }, h("h2", {}, title(area)),
    click ? h("button", { type: "button", class: "pick", "aria-label": click.label, onclick: () => click.act(1), dataset: { key: "stock" } }, back) : back,
    next.length ? h("div", {}, h("span", { class: "notes" }, "next"), h("div", { class: "row small" }, next.map((card) => lying(card)))) : null);
}

function pileView(area, click) {
  const cards = area.cards.map((card, place) => {
    const depth = area.cards.length - place;
    const count = depth === 1 ? "top" : depth % 5 === 0 || place === 0 ? String(depth) : null;
    const under = area.name === "pile" && count ? h("span", { class: "depth", "aria-hidden": "true" }, count) : null;
    const act = click?.depths ? click.depths.get(depth) : null;
    if (!act) return h("span", { class: "card", role: "img", "aria-label": spoken(card), dataset: { card } }, face(card), under);
    return h("button", {
      type: "button", class: "card", "aria-label": `${spoken(card)}: ${act.label}`, onclick: act.act, dataset: { key: `pile-${depth}`, card },
    }, face(card), under);
  });
  const size = Math.ceil(cards.length / Math.ceil(cards.length / PILE_ROW)); // rows of about one length
  const rows = [];
  for (let first = 0; first < cards.length; first += size) rows.push(h("div", { class: "row" }, cards.slice(first, first + size)));
  const all = h("div", { dataset: { drop: "pile", place: area.name } }, rows.length ? rows : h("div", { class: "row" }, h("span", { class: "card none" })));
  return h("div", { class: area.name === "pile" ? "heap pile" : "heap" }, h("h2", {}, title(area)), all,
    click?.act ? h("button", { type: "button", class: "plain", onclick: () => click.act(), dataset: { key: "pile" } }, click.label) : null);
}

function title(area) {
  const name = area.title[0].toUpperCase() + area.title.slice(1);
  return [name, h("span", { class: "notes" }, ` ${area.size}${area.note ? ` · ${pretty(area.note)}` : ""}`)];
}
