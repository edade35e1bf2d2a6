// Names and keyboard access for parts of the theme that have none: the search, menus, buttons of code, wide tables.
// Blocks of commands are marked for phones.

/** Give menus inside menus names that no other landmark of the page has. */
function nameMenus() {
  const uses = new Map();
  for (const menu of document.querySelectorAll("nav.md-nav nav.md-nav:not([data-named])")) {
    const labelled = document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
    const name = (labelled?.textContent ?? menu.getAttribute("aria-label") ?? "").trim();
    const whole = `${menu.dataset.mdLevel ? "Pages" : "Sections"}: ${name}`;
    const use = (uses.get(whole) ?? 0) + 1;
    uses.set(whole, use);
    menu.removeAttribute("aria-labelledby");
    menu.setAttribute("aria-label", use > 1 ? `${whole} (${use})` : whole);
    menu.dataset.named = "";
  }
}

/** A table that is wider than its column is scrolled with the keyboard too. */
function focusWideTables() {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", "Table");
    } else frame.removeAttribute("tabindex");
  }
}

/** Commands with comments in a column: on a phone the blanks before a comment go (site.css). A program keeps its
    indentation. */
function markCommands() {
  for (const code of document.querySelectorAll("div[class=highlight] pre > code:not([data-read])")) {
    const text = code.textContent;
    code.dataset.read = "";
    code.classList.toggle("commands", /\S {2,}# /.test(text) && !/^ /m.test(text));
  }
}

function complete() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const buttons of document.querySelectorAll("nav.md-code__nav")) buttons.setAttribute("role", "none");
  nameMenus();
  markCommands();
  focusWideTables();
}

complete();
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true }); // the theme adds parts later
addEventListener("resize", focusWideTables);
