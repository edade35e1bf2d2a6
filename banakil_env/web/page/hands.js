// What a seat can believe of the hidden hands: a strip of cards for each other seat, darker where a card is likelier.

import { h } from "./dom.js";
import { spoken } from "./cards.js";
import { seatName } from "./board.js";
import { sentence } from "./explanation.js";

const RANKS = [..."23456789TJQKA"];
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** The strips. `view` is the table: where its hands are open, the cards that are held are outlined. */
export function hands(found, view) {
  const open = found.hands.some(({ seat }) => view.seats[seat].hand !== null);
  return h("div", { class: "believed" },
    found.hands.map(({ seat, cards }) => strip(seatName(view, seat), cards, view.seats[seat].hand?.flat() ?? [])),
    h("p", { class: "notes" }, `In how many of 100 deals that agree with what the seat sees the hand has the card. ${open ? "Outlined: the cards that it has. " : ""}`,
      sentence(found.basis)));
}

function strip(name, cards, held) {
  const shares = new Map(cards.map(([card, share, count]) => [card, { share, count }]));
  const every = new Set([...shares.keys(), ...held]);
  const suits = Object.keys(SUITS).filter((suit) => [...every].some((card) => card.length === 2 && card[1] === suit));
  const rows = [...suits.map((suit) => [SUITS[suit], suit]), ...([...every].some((card) => card.length === 1) ? [["", ""]] : [])];
  const others = [...every].filter((card) => !RANKS.includes(card[0]) || !(card.length === 1 || (card.length === 2 && card[1] in SUITS)));
  const cell = (card, tag = "td", label = "") => {
    const { share, count } = shares.get(card) ?? { share: 0, count: 0 };
    const has = held.filter((each) => each === card).length;
    const properties = { class: has ? "cell held" : "cell", title: `${spoken(card)}: ${percent(share)}${count > share + 0.005 ? `, ${count.toFixed(1)} of them in the mean` : ""}` };
    const found = h(tag, properties, label, share >= 0.005 ? String(Math.round(100 * share)) : "", has ? h("span", { class: "unseen" }, " held") : null);
    found.style.setProperty("--share", share.toFixed(2));
    return found;
  };
  return h("table", { class: "strip" }, h("caption", {}, name),
    h("thead", {}, h("tr", {}, h("td", {}), RANKS.map((rank) => h("th", { scope: "col" }, rank === "T" ? "10" : rank)))),
    h("tbody", {}, rows.map(([symbol, suit]) => h("tr", {}, suit ? h("th", { scope: "row" }, symbol) : h("td", {}), RANKS.map((rank) => cell(rank + suit)))),
      others.length ? h("tr", {}, h("td", {}), h("td", { colspan: "13", class: "others" }, others.map((card) => cell(card, "span", `${spoken(card)} `)))) : null));
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}
