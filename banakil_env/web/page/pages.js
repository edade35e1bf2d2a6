// Which page does the address lead to? What stands behind `#/` up to the next slash names it; the first is the lobby.

import { setFourColors } from "./cards.js";
import { setSounds, sounds } from "./sound.js";
import { h } from "./dom.js";

/** Show the page that the address names, now and when it changes. `pages` are functions by name, "" the first page. */
export function openPages(pages) {
  const main = document.getElementById("main");
  let leave = () => {};
  let routes = 0;
  const route = async () => {
    const number = ++routes;
    leave();
    leave = () => {};
    const [, page, ...rest] = location.hash.replace(/\?.*$/, "").split("/");
    const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
    for (const link of document.querySelectorAll("nav a")) {
      const here = link.getAttribute("href") === (["study", "watch"].includes(page) ? `#/${page}` : "#/");
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // A place of its own: a page that is left before it is there writes into what nobody sees any more.
    const place = h("div", { tabindex: "-1" });
    main.replaceChildren(place);
    const left = (await (pages[page ?? ""] ?? pages[""])(place, rest, query)) ?? (() => {});
    if (number === routes) leave = left;
    else left();
  };
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault(); // the address says which page is shown
    main.focus();
  });
  switches(route);
  window.addEventListener("hashchange", route);
  route();
}

/** The switches at the top, which this browser keeps; `changed` is called when cards look different. */
function switches(changed) {
  const fourColors = document.getElementById("four-colors");
  fourColors.checked = localStorage.getItem("four-colors") === "yes";
  setFourColors(fourColors.checked);
  fourColors.addEventListener("change", () => {
    localStorage.setItem("four-colors", fourColors.checked ? "yes" : "no");
    setFourColors(fourColors.checked);
    changed();
  });
  const sound = document.getElementById("sound");
  sound.checked = sounds();
  sound.addEventListener("change", () => setSounds(sound.checked));
}
