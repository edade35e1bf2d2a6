// Which page does the address lead to? `#/` the lobby, `#/seat/KEY` a table, `#/watch` several, `#/study` and `#/study/ID/AT` a study.

import { setFourColours } from "./cards.js";
import { setSounds, sounds } from "./sound.js";
import { h } from "./dom.js";
import { lobby } from "./lobby.js";
import { play } from "./play.js";
import { study } from "./study.js";
import { watch } from "./watch.js";

const main = document.getElementById("main");
const fourColours = document.getElementById("four-colours");
let leave = () => {};
let routes = 0;

async function route() {
  const number = ++routes;
  leave();
  leave = () => {};
  const [, page, ...rest] = location.hash.replace(/\?.*$/, "").split("/");
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const open = { "": lobby, seat: play, study, watch }[page ?? ""] ?? lobby;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === (["study", "watch"].includes(page) ? `#/${page}` : "#/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // A place of its own: a page that is left before it is there writes into what nobody sees any more.
  const place = h("div", { tabindex: "-1" });
  main.replaceChildren(place);
  const left = (await open(place, rest, query)) ?? (() => {});
  if (number === routes) leave = left;
  else left();
}

document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault(); // the address says which page is shown
  main.focus();
});
fourColours.checked = localStorage.getItem("four-colours") === "yes";
setFourColours(fourColours.checked);
fourColours.addEventListener("change", () => {
  localStorage.setItem("four-colours", fourColours.checked ? "yes" : "no");
  setFourColours(fourColours.checked);
  route();
});
const sound = document.getElementById("sound");
sound.checked = sounds();
sound.addEventListener("change", () => setSounds(sound.checked));
window.addEventListener("hashchange", route);
route();
