// The lobby: set up a table, go on with one, or take the links of its seats.

import { choice, entry, h } from "./dom.js";
import { get, post } from "./api.js";

const PERSON = "a person";
const KEPT = "tables";

/** The tables that were opened in this browser, the last first. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** Remember a seat in this browser. */
export function keep(key, title) {
  const others = kept().filter((table) => table.key !== key);
  localStorage.setItem(KEPT, JSON.stringify([{ key, title, when: Date.now() }, ...others].slice(0, 12)));
}

/** Forget a seat that is gone. */
export function forget(key) {
  localStorage.setItem(KEPT, JSON.stringify(kept().filter((table) => table.key !== key)));
}

export async function lobby(main) {
  document.title = "Play · banakil";
  const games = await get("/api/games");
  const form = h("form", { class: "panel form", "aria-labelledby": "new-table" });
  main.replaceChildren(
    h("h1", { id: "new-table" }, "A new table"), form, tablesBefore(),
    h("p", {}, "To look through a game that was played, go to ", h("a", { href: "#/study" }, "Study"), "."));
  fill(form, games, { game: games[0].name });
}

/** The form for a game; made anew when the game or the number of seats changes. */
function fill(form, games, chosen) {
  const game = games.find((each) => each.name === chosen.game);
  const count = game.seats.includes(Number(chosen.count)) ? Number(chosen.count) : game.seats[0];
  const change = (name) => (event) => {
    fill(form, games, { ...chosen, [name]: event.target.value });
    form.querySelector(`[name=${name}]`).focus();
  };
  const which = choice("Game", games.map((each) => [each.name, each.title]), game.name, { name: "game", onchange: change("game") });
  const many = choice("Seats", game.seats.map((seats) => [seats, seats]), count, { name: "count", onchange: change("count") });
  const preset = choice("Rules", game.presets.map((name) => [name, name]), game.presets[0], { name: "preset" });
  const switches = entry("Switches of the rules", { name: "switches", placeholder: "none: the rules as they are" });
  const partners = game.partners && count === 4
    ? choice("Partners", [["yes", "partners opposite"], ["no", "everybody alone"]], "yes", { name: "partners" }) : null;
  const episode = choice("Length", [["round", "one round"], ["match", "a match"]], "round", { name: "episode" });
  const seed = entry("Seed", { name: "seed", inputmode: "numeric", pattern: "[0-9]*", placeholder: "by chance" });
  const pause = choice("Players move", [[0, "at once"], [600, "after 0.6 s"], [1500, "after 1.5 s"]], 600, { name: "pause" });
  const practice = h("input", { type: "checkbox", name: "practice" });
  const usual = game.defaults[count];
  const seats = Array.from({ length: count }, (_, seat) => {
    const players = [[PERSON, seat === 0 ? "you" : "a person with a link"], ...game.players.map((name) => [name, name])];
    const who = choice(`Seat ${seat}`, players, seat === 0 ? PERSON : usual, { name: `seat-${seat}` });
    const name = entry(`Name at seat ${seat}`, { name: `name-${seat}`, maxlength: "40" });
    const hide = () => { name.field.hidden = who.select.value !== PERSON; };
    who.select.addEventListener("change", hide);
    hide();
    return { who, name };
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const send = h("button", { type: "submit", class: "primary" }, "Set up the table");
  form.onsubmit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    send.disabled = true;
    send.textContent = "Preparing the game …";
    try {
      const rules = `${preset.select.value} ${switches.input.value}`.trim();
      const made = await post("/api/tables", {
        game: game.name,
        rules,
        episode: episode.select.value,
        practice: practice.checked,
        pause: Number(pause.select.value),
        ...(partners ? { partners: partners.select.value === "yes" } : {}),
        ...(seed.input.value ? { seed: Number(seed.input.value) } : {}),
        seats: seats.map(({ who, name }) => (who.select.value === PERSON
          ? { name: name.input.value } : { player: who.select.value })),
      });
      opened(form, game.title, made.keys);
    } catch (error) {
      problem.textContent = `The table cannot be set up: ${error.message}.`;
    } finally {
      send.disabled = false;
      send.textContent = "Set up the table";
    }
  };
  form.replaceChildren(
    h("div", { class: "fields" }, which.field, many.field, preset.field, partners?.field ?? null, episode.field, pause.field, seed.field, switches.field),
    h("fieldset", {}, h("legend", {}, "Who plays"),
      h("div", { class: "fields" }, seats.map(({ who, name }) => h("div", { class: "fields tight" }, who.field, name.field)))),
    h("label", { class: "switch" }, practice, " Practice: hints, and moves may be taken back"),
    problem, send);
}

/** Go to one's own seat; where there are others, give their links first. */
function opened(form, title, keys) {
  const [[seat, key], ...others] = Object.entries(keys);
  keep(key, title);
  if (!others.length) {
    location.hash = `#/seat/${key}`;
    return;
  }
  const link = (each) => `${location.origin}/#/seat/${each}`;
  form.replaceChildren(
    h("h2", { tabindex: "-1" }, "The table is set up"),
    h("p", {}, "Send each person the link of their seat. Who has a link plays that seat: keep them apart."),
    h("ul", { class: "links" }, others.map(([number, each]) => h("li", {},
      h("label", { class: "field" }, h("span", {}, `Seat ${number}`), h("input", { type: "text", readonly: true, value: link(each), dataset: { link: number } })),
      h("button", { type: "button", onclick: async (event) => {
        await navigator.clipboard?.writeText(link(each));
        event.target.textContent = "Copied";
      } }, `Copy the link of seat ${number}`)))),
    h("a", { class: "button primary", href: `#/seat/${key}` }, `Go to seat ${seat}`));
  form.querySelector("h2").focus();
}

function tablesBefore() {
  const tables = kept();
  if (!tables.length) return null ?? "";
  return h("section", { "aria-labelledby": "before" }, h("h2", { id: "before" }, "Your tables"),
    h("ul", {}, tables.map((table) => h("li", {}, h("a", { href: `#/seat/${table.key}` }, table.title),
      h("span", { class: "notes" }, ` · ${new Date(table.when).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`)))));
}
