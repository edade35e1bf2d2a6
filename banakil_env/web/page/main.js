// Which page does the address lead to? `#/` the lobby, `#/seat/KEY` a table, `#/study` and `#/study/ID/AT` a study.

import { setFourColours } from "./cards.js";
import { lobby } from "./lobby.js";
import { play } from "./play.js";
import { study } from "./study.js";

const main = document.getElementById("main");
const fourColours = document.getElementById("four-colours");
let leave = () => {};

async function route() {
  leave();
  leave = () => {};
  const [, page, ...rest] = location.hash.replace(/\?.*$/, "").split("/");
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const open = { "": lobby, seat: play, study }[page ?? ""] ?? lobby;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === (page === "study" ? "#/study" : "#/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave = (await open(main, rest, query)) ?? (() => {});
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
window.addEventListener("hashchange", route);
route();
