// Cards travel: from the stock, the pile or a hand to where they lie after a move. Nothing moves with reduced motion.

const TIME = 200; // milliseconds
const MOST = 24; // cards that travel at once
const STEP = 18; // milliseconds between two cards of a deal

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where everything lies now, to be compared after the next drawing. */
export function snapshot(main) {
  if (!main.querySelector(".board")) return null;
  const rects = new Map();
  const cards = new Map();
  for (const place of main.querySelectorAll("[data-place]")) {
    rects.set(place.dataset.place, place.getBoundingClientRect());
    cards.set(place.dataset.place, counted(place));
  }
  return { rects, cards };
}

/** Let the cards travel that lie elsewhere than before. `mover` has made the last move. */
export function travel(main, before, mover, own) {
  if (still() || !before) return;
  const taken = (name) => {
    const [old, now] = [before.cards.get(name), counted(main.querySelector(`[data-place="${name}"]`))];
    return old && [...old].some(([card, count]) => (now.get(card) ?? 0) < count) ? now : null;
  };
  const pile = taken("pile");
  let number = 0;
  for (const place of main.querySelectorAll("[data-place]")) {
    const name = place.dataset.place;
    const left = new Map(before.cards.get(name) ?? []);
    if (name === "stock") continue;
    for (const card of place.querySelectorAll("[data-card]")) {
      const kind = card.dataset.card;
      if ((left.get(kind) ?? 0) > 0) {
        left.set(kind, left.get(kind) - 1);
        continue;
      }
      if (number >= MOST) return;
      const fromPile = pile && (before.cards.get("pile").get(kind) ?? 0) > (pile.get(kind) ?? 0);
      const from = /^(hand|cards)/.test(name) ? (fromPile ? "pile" : "stock")
        : mover === own ? "hand" : `cards-${mover}`;
      const source = before.rects.get(from) ?? before.rects.get(`cards-${mover}`);
      if (source) fly(card, source, number++);
    }
  }
}

function fly(card, source, number) {
  const target = card.getBoundingClientRect();
  const [x, y] = [source.left + Math.min(source.width, target.width) / 2 - target.left - target.width / 2, source.top + source.height / 2 - target.top - target.height / 2];
  card.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
    { duration: TIME, delay: number * STEP, easing: "ease-out", fill: "backwards" });
}

function counted(place) {
  const found = new Map();
  for (const card of place?.querySelectorAll("[data-card]") ?? []) found.set(card.dataset.card, (found.get(card.dataset.card) ?? 0) + 1);
  return found;
}
