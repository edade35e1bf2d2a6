// Cards: how they look, what they are called, and which words of a move mean them.

import { h } from "./dom.js";

const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANKS = { T: "10", J: "Jack", Q: "Queen", K: "King", A: "Ace" };
const CARD = /\b([2-9TJQKA])([cdhs])\b/g;
const JOKER = "JK";
const WITHOUT_SUIT = { JK: "Joker", W: "wild card" };

let decks = ["/deck.svg#", "/deck.svg?colors=four#"];
let [deck] = decks;

/** What stands before the name of a card's picture, with suits in two colors and in four: "#" is in the page itself. */
export function setDecks(two, four) {
  decks = [two, four];
  deck = two;
}

/** Draw suits in four colors, or in two. */
export function setFourColors(four) {
  deck = decks[four ? 1 : 0];
}

/** "7 of hearts" for "7h". */
export function spoken(card) {
  if (card === null) return "face-down card";
  if (card in WITHOUT_SUIT) return WITHOUT_SUIT[card];
  return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

/** A text with its cards in words, to be read aloud. */
export function spokenText(text) {
  return text.replace(CARD, (card) => spoken(card)).replace(/\bJK\b/g, "Joker").replace(/\b[TJQK]\b/g, (rank) => RANKS[rank]);
}

/** A text with its cards as people write them: "discard 10♥". */
export function pretty(text) {
  return text.replace(CARD, (card, rank, suit) => `${rank}${SYMBOLS[suit]}`).replace(/\bJK\b/g, "Joker").replace(/\bT(?=[♣♦♥♠]|\b)/g, "10");
}

/** The picture of a card, for those who see; what holds it says its name. */
export function face(card) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 46 64");
  svg.setAttribute("class", "face");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${deck}${card === null ? "back" : `card-${card}`}`);
  svg.append(use);
  return svg;
}

/** A card that lies there. */
export function lying(card, extra = {}) {
  return h("span", { class: "card", role: "img", "aria-label": spoken(card), dataset: { card: card ?? "back" }, ...extra }, face(card));
}

/** Whether a word of a move (`7h`, `7`, `JK`) means a card. */
export function means(word, card) {
  return word === card || (word.length === 1 && card !== JOKER && word === card[0]);
}

/** Whether the words of a move can mean all of these cards, each word one of them. */
export function meansAll(words, cards) {
  const left = [...words];
  // Words for one card first: they fit nothing else.
  for (const card of cards) {
    let place = left.indexOf(card);
    if (place < 0) place = left.findIndex((word) => means(word, card));
    if (place < 0) return false;
    left.splice(place, 1);
  }
  return true;
}
