// Dialogs over the page: the rules of a table, the keys, the score sheet. Escape closes them; the focus goes back.

import { h } from "./dom.js";
import { pretty } from "./cards.js";

/** Open a dialog with a title. Gives the element, which is removed when it is closed; `onclose` is called then. */
export function openDialog(title, content, { wide = false, close = "Close", onclose = () => {} } = {}) {
  const before = document.activeElement;
  const dialog = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" },
    h("div", { class: "dialog-head" },
      h("h2", { id: "dialog-title", tabindex: "-1" }, title),
      h("button", { type: "button", dataset: { close: "" }, onclick: () => dialog.close() }, close)),
    h("div", { class: "dialog-body", tabindex: "0", role: "group", "aria-label": title }, content));
  dialog.addEventListener("close", () => {
    dialog.remove();
    const key = before?.dataset?.key;
    (before?.isConnected ? before : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus?.();
    onclose();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // outside the dialog
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("h2").focus();
  return dialog;
}

/** Show rules. `text` has a heading, sections and lists; `about` is a sentence whose section is shown first. */
export function showRules(text, about = "") {
  const [head, ...sections] = text.trim().split(/\n\n(?=## )/);
  const [title, ...first] = head.split("\n");
  const parts = sections.map((section) => {
    const [heading, ...lines] = section.split("\n");
    return h("section", {}, h("h3", {}, heading.replace(/^## /, "")), linesView(lines));
  });
  const dialog = openDialog(title.replace(/^# /, ""), [h("section", {}, linesView(first)), ...parts], { wide: true });
  const found = about ? nearest(dialog, about) : null;
  if (found) {
    found.classList.add("asked");
    found.scrollIntoView({ block: "center" });
  }
  return dialog;
}

function linesView(lines) {
  const found = [];
  for (const line of lines.filter(Boolean)) {
    if (!line.startsWith("- ")) found.push(h("p", {}, inline(line)));
    else if (found.at(-1)?.tagName === "UL") found.at(-1).append(h("li", {}, inline(line.slice(2))));
    else found.push(h("ul", {}, h("li", {}, inline(line.slice(2)))));
  }
  return found;
}

/** A text with its code in backquotes. */
function inline(text) {
  return text.split(/`([^`]*)`/).map((part, place) => (place % 2 ? h("code", {}, pretty(part)) : part));
}

/** The paragraph of the rules that has most words of a sentence; rare words count for more. */
function nearest(dialog, sentence) {
  const words = (text) => new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
  const texts = [...dialog.querySelectorAll("section:not(:first-of-type) :is(p, li)")];
  const sets = texts.map((each) => words(each.textContent));
  const wanted = words(sentence);
  const worth = (set) => [...wanted].reduce((sum, word) => {
    const among = sets.filter((each) => each.has(word)).length;
    return sum + (set.has(word) ? 1 / among : 0);
  }, 0) / Math.sqrt(set.size + 5);
  const best = sets.map(worth);
  const most = Math.max(...best);
  return most > 0 ? texts[best.indexOf(most)] : null;
}

/** A reason whose numbers of rules (`C7.4`) lead to the rules; a reason without a number leads there from its end. */
export function reasonView(text, open) {
  const link = (label) => h("button", { type: "button", class: "plain", dataset: { key: `reason-${label}` }, onclick: () => open(text) }, label);
  const parts = text.split(/\(([A-Z]{1,2}[0-9]+\.[0-9]+)\)/).map((part, place) => (place % 2 ? link(`rule ${part}`) : part));
  return parts.length === 1 && text.includes("not legal") ? [text, " ", link("See the rules")] : parts;
}

const KEYS = [
  ["Tab, arrow keys", "go along cards and moves"],
  ["Enter", "choose a card, make a move"],
  ["/", "write a move"],
  ["d", "draw from the stock"],
  ["p", "pass"],
  ["s", "sort the hand by suit or by rank"],
  ["r", "the rules of this table"],
  ["Escape", "give up what was chosen, close a dialog"],
  ["Space, + and −, →", "where players alone sit: pause, faster and slower, one move"],
  ["?", "these keys"],
];

/** Show which keys do what. */
export function showKeys() {
  return openDialog("Keys", h("table", { class: "keys" }, h("tbody", {}, KEYS.map(([key, what]) => h("tr", {},
    h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))))));
}
