// The lobby: choose a game and play, set up a table in detail, go on with one, or take the links of its seats.

import { choice, entry, h } from "./dom.js";
import { SERVED, get, post } from "./api.js";
import { face } from "./cards.js";
import { showRules } from "./dialogs.js";

const PERSON = "a person";
const KEPT = "tables";
const LAST = "last-game";
const SEVERAL = [1, 2, 4, 6, 9]; // tables at once, of players alone

/** The tables that were opened in this browser, the last first: {key, title, over, watched, when}. */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** Remember a seat in this browser, whether its table is over, and whether players alone sit there. */
export function keep(key, title, over = false, watched = false) {
  const others = kept().filter((table) => table.key !== key);
  localStorage.setItem(KEPT, JSON.stringify([{ key, title, over, watched, when: Date.now() }, ...others].slice(0, 12)));
}

/** Forget a seat that is gone. */
export function forget(key) {
  localStorage.setItem(KEPT, JSON.stringify(kept().filter((table) => table.key !== key)));
}

export async function lobby(main) {
  document.title = "Play · banakil";
  const games = await get("/api/games");
  const form = h("form", { class: "setup panel form", "aria-labelledby": "new-table" });
  const last = games.find((each) => each.name === localStorage.getItem(LAST)) ?? games[0];
  const choose = (game) => {
    localStorage.setItem(LAST, game.name);
    fill(form, games, { game: game.name });
  };
  main.replaceChildren(
    h("h1", { id: "new-table" }, "Play"), tablesBefore(),
    h("div", { class: "lobby" },
      h("fieldset", { class: "games" }, h("legend", { class: "unseen" }, "Game"),
        games.map((game) => tile(game, game === last, () => choose(game)))),
      form),
    SERVED ? h("p", {}, "To look through a game that was played, go to ", h("a", { href: "#/study" }, "Study"), ".") : "");
  fill(form, games, { game: last.name });
}

/** A game to be chosen: its picture, a sentence, how many play, how long. */
function tile(game, checked, choose) {
  const input = h("input", { type: "radio", name: "game", value: game.name, onchange: choose });
  input.checked = checked;
  return h("label", { class: "tile" }, input,
    h("span", { class: "felt", "aria-hidden": "true" }, game.cards.map((meld) => h("span", { class: "fan" },
      meld.map((card) => h("span", { class: "card" }, face(card)))))),
    h("span", { class: "title" }, game.title),
    h("span", { class: "sentence" }, game.sentence),
    h("span", { class: "notes" }, `${playersText(game)} · ${game.turns} ${game.turns === 1 ? "turn" : "turns"} each`));
}

function playersText(game) {
  const [few, many] = [game.seats[0], game.seats.at(-1)];
  if (few === many) return `${few} players`;
  return game.seats.length === 2 && many - few > 1 ? `${few} or ${many} players` : `${few} to ${many} players`;
}

/** The form for a game; made again when the game or the number of seats changes. */
function fill(form, games, chosen) {
  const game = games.find((each) => each.name === chosen.game);
  const count = game.seats.includes(Number(chosen.count)) ? Number(chosen.count) : game.usual;
  const again = (name, more = {}) => (event) => {
    fill(form, games, { ...chosen, ...more, [name]: event.target.value, open: details.open });
    form.querySelector(`[name=${name}]`).focus();
  };
  const preset = choice("Rules", game.presets.map(({ name }) => [name, name]), chosen.preset ?? game.presets[0].name,
    { name: "preset", "aria-describedby": "preset-note", onchange: (event) => again("preset")(event) });
  const partners = game.partners && count === 4
    ? choice("Partners", [["yes", "partners opposite"], ["no", "everybody alone"]], chosen.partners ?? "yes",
      { name: "partners", onchange: (event) => again("partners")(event) }) : null;
  const offers = fitting(game, count, preset.select.value, partners?.select.value);
  const usual = usualOf(offers, game, count);
  const many = choice("Players", game.seats.map((seats) => [seats, seats]), count,
    { name: "count", onchange: (event) => again("count")(event) });
  const level = choice("Against", offers.map((offer) => [offer.name, offer.label]), chosen.level ?? usual.name, { name: "level", onchange: () => {
    for (const { who } of seats.slice(1)) if (who.select.value !== PERSON) who.select.value = level.select.value;
  } });
  const switches = entry("Switches of the rules", { name: "switches", placeholder: "none: the rules as they are", value: chosen.switches ?? "" });
  const episode = choice("Length", [["round", "one round"], ["match", "a match"]], "round", { name: "episode" });
  const seed = entry("Seed", { name: "seed", inputmode: "numeric", pattern: "[0-9]*", placeholder: "by chance" });
  const pause = choice("Players move", [[0, "at once"], [600, "after 0.6 s"], [1500, "after 1.5 s"]], 600, { name: "pause" });
  const practice = h("input", { type: "checkbox", name: "practice" });
  const several = choice("Tables at once", SEVERAL.map((number) => [number, number]), 1, { name: "several" });
  const seats = Array.from({ length: count }, (_, seat) => {
    const person = seat === 0 ? [[PERSON, "you"]] : SERVED ? [[PERSON, "a person with a link"]] : [];
    const players = [...person, ...offers.map((offer) => [offer.name, offer.label])];
    const who = choice(`Seat ${seat}`, players, seat === 0 ? PERSON : level.select.value, { name: `seat-${seat}` });
    const name = entry(`Name at seat ${seat}`, { name: `name-${seat}`, maxlength: "40" });
    return { who, name };
  });
  const hide = () => {
    for (const { who, name } of seats) name.field.hidden = who.select.value !== PERSON;
    several.field.hidden = seats.some(({ who }) => who.select.value === PERSON);
  };
  for (const { who } of seats) who.select.addEventListener("change", hide);
  hide();
  const problem = h("p", { class: "problem", role: "alert" });
  const rules = () => `${preset.select.value} ${switches.input.value}`.trim();
  const label = `Play ${game.title}`;
  const send = h("button", { type: "submit", class: "primary large" }, label);
  form.onsubmit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    send.disabled = true;
    send.textContent = "Preparing the game …";
    try {
      const wanted = {
        game: game.name,
        rules: rules(),
        episode: episode.select.value,
        practice: practice.checked,
        pause: Number(pause.select.value),
        ...(partners ? { partners: partners.select.value === "yes" } : {}),
        seats: seats.map(({ who, name }) => (who.select.value === PERSON
          ? { name: name.input.value } : { player: who.select.value })),
      };
      const made = [];
      for (let number = 0; number < (several.field.hidden ? 1 : Number(several.select.value)); number++) {
        const dealt = seed.input.value ? { seed: Number(seed.input.value) + number } : {};
        made.push((await post("/api/tables", { ...wanted, ...dealt })).keys);
      }
      if (made.length === 1) opened(form, game.title, made[0]);
      else watchAll(game.title, made.map((keys) => Object.values(keys)[0]));
    } catch (error) {
      problem.textContent = `The table cannot be set up: ${error.message}.`;
    } finally {
      send.disabled = false;
      send.textContent = label;
    }
  };
  const showThem = async () => {
    problem.textContent = "";
    const wanted = new URLSearchParams({ game: game.name, rules: rules(), seats: count, episode: episode.select.value, ...(partners ? { partners: partners.select.value } : {}) });
    try {
      showRules((await get(`/api/rules?${wanted}`)).text);
    } catch (error) {
      problem.textContent = `The rules cannot be shown: ${error.message}.`;
    }
  };
  const note = game.presets.find(({ name }) => name === preset.select.value)?.note ?? "";
  const details = h("details", { open: Boolean(chosen.open) }, h("summary", {}, "More: rules, length, seats, practice"),
    h("div", { class: "fields" }, preset.field, h("p", { class: "notes", id: "preset-note" }, note)),
    h("div", { class: "fields" }, partners?.field ?? null, episode.field, pause.field, seed.field, switches.field),
    h("fieldset", {}, h("legend", {}, "Who plays"),
      h("div", { class: "seats" }, seats.map(({ who, name }) => h("div", { class: "fields" }, who.field, name.field))), several.field),
    h("label", { class: "switch" }, practice, " Practice: hints, and moves can be taken back"));
  form.replaceChildren(
    h("h2", {}, game.title),
    h("div", { class: "fields" }, many.field, level.field),
    h("div", { class: "buttons" }, send, h("button", { type: "button", dataset: { key: "rules" }, onclick: showThem }, "Rules")),
    problem, details);
}

/** The players that can play a table with these rules: one that was trained for another table is left out. */
function fitting(game, count, preset, partners) {
  const first = game.presets[0].name;
  const made = (table) => (table.rules.split(" ")[0] || first) === preset
    && (table.partners === null || partners === undefined || table.partners === (partners === "yes"));
  return game.players[count].filter((offer) => offer.table === null || made(offer.table));
}

/** The opponent that is chosen at first: an agent trained for this table, else the player for any table. */
function usualOf(offers, game, count) {
  const named = (name) => offers.find((offer) => offer.name === name);
  const wanted = named(game.defaults[count]);
  if (wanted && wanted.name !== game.anywhere) return wanted;
  return offers.findLast((offer) => offer.table !== null) ?? named(game.anywhere) ?? offers.at(-1);
}

/** Go to several tables of players alone. */
function watchAll(title, keys) {
  keys.toReversed().forEach((key, place) => keep(key, `${title}, table ${keys.length - place}`, false, true));
  location.hash = `#/watch/${keys.join(",")}`;
}

/** Go to one's own seat; where there are others, give their links first. */
function opened(form, title, keys) {
  const [[seat, key], ...others] = Object.entries(keys);
  keep(key, title, false, Number(seat) < 0);
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
  if (!tables.length) return "";
  const open = tables.filter((table) => !table.over);
  const when = (table) => new Date(table.when).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const link = (table) => h("li", {}, h("a", { class: table.over ? "" : "button", href: `#/seat/${table.key}` }, table.over ? table.title : `Continue ${table.title}`),
    h("span", { class: "notes" }, ` ${when(table)}`));
  const over = tables.filter((table) => table.over);
  return h("section", { class: "tables", "aria-labelledby": "before" }, h("h2", { id: "before" }, "Your tables"),
    open.length ? h("ul", {}, open.slice(0, 4).map(link)) : null,
    over.length || open.length > 4 ? h("details", {}, h("summary", {}, "Earlier tables"), h("ul", {}, [...open.slice(4), ...over].map(link))) : null);
}
