// The order of the hand: by suit, by rank, or as its player likes it, which this browser keeps.

const RANKS = "3456789TJQKA2";
const ORDERS = ["suit", "rank", "own"];

export const NAMES = { suit: "by suit", rank: "by rank", own: "own order" };

/** How the hands of a table are ordered: "suit", "rank" or "own". */
export function order() {
  const kept = localStorage.getItem("order");
  return ORDERS.includes(kept) ? kept : "suit";
}

export function setOrder(name) {
  localStorage.setItem("order", name);
}

/** The next order: by suit, by rank, and one's own where there is one. */
export function nextOrder(key) {
  const there = ORDERS.filter((name) => name !== "own" || kept(key).length);
  return there[(there.indexOf(order()) + 1) % there.length];
}

/**
 * The places of the cards in groups. `groups` are the cards as the server sorts them; a card's place is its number
 * there, so that whatever is chosen stays chosen in any order.
 */
export function arranged(groups, key) {
  let number = 0;
  const suits = groups.map((group) => group.map((card) => ({ card, place: number++ })));
  const all = suits.flat();
  if (order() === "rank") {
    const rank = ({ card }) => (RANKS.includes(card[0]) && card !== "JK" ? RANKS.indexOf(card[0]) : RANKS.length);
    const sorted = all.toSorted((one, other) => rank(one) - rank(other) || one.place - other.place);
    return [...Map.groupBy(sorted, rank).values()];
  }
  if (order() === "own") {
    const wanted = kept(key);
    const left = [...all];
    const found = wanted.flatMap((card) => {
      const at = left.findIndex((each) => each.card === card);
      return at < 0 ? [] : left.splice(at, 1);
    });
    return [[...found, ...left]];
  }
  return suits;
}

/** Put a card before another one, or at the end. `cards` lie in the order shown. */
export function moved(cards, from, to, key) {
  const next = [...cards];
  const [card] = next.splice(from, 1);
  next.splice(to > from ? to - 1 : to, 0, card);
  localStorage.setItem("own-order", JSON.stringify({ key, cards: next }));
  setOrder("own");
}

function kept(key) {
  try {
    const found = JSON.parse(localStorage.getItem("own-order") ?? "{}");
    return found.key === key ? found.cards : [];
  } catch {
    return [];
  }
}
