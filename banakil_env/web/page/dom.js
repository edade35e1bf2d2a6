// Small helpers for making elements; nothing here knows what is shown.

/** An element. Properties that begin with "on" are listeners; `dataset` and `aria` are objects. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "class") element.className = value;
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A select with a label. `choices` are [value, text]. */
export function choice(label, choices, value, properties = {}) {
  const options = choices.map(([key, text]) => {
    const option = h("option", { value: key }, text);
    option.selected = String(key) === String(value);
    return option;
  });
  const select = h("select", properties, options);
  return { field: h("label", { class: "field" }, h("span", {}, label), select), select };
}

/** An input with a label. */
export function entry(label, properties = {}) {
  const input = h("input", { type: "text", autocomplete: "off", ...properties });
  return { field: h("label", { class: "field" }, h("span", {}, label), input), input };
}

/** Say something to those who listen to the page. */
export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  // A pause, so that the same text twice is said twice.
  setTimeout(() => { live.textContent = text; }, 50);
}

/** Put content into the main part, and the focus back on what had it (`data-key`). */
export function show(main, ...content) {
  const key = document.activeElement?.dataset?.key;
  const scrolled = Object.fromEntries([...main.querySelectorAll("[data-scroll]")].map((e) => [e.dataset.scroll, e.scrollTop]));
  main.replaceChildren(...content.flat());
  for (const element of main.querySelectorAll("[data-scroll]")) element.scrollTop = scrolled[element.dataset.scroll] ?? 0;
  if (key === undefined) return;
  const same = main.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
  (same ?? main.querySelector("[data-focus]") ?? main).focus({ preventScroll: Boolean(same) });
}
