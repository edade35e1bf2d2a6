// Names and keyboard access for parts of the theme that have none: the search, menus, buttons of code, wide tables.
// Blocks of commands are marked for phones, and empty headers of tables are cleared.

/** Give menus inside menus names that no other landmark of the page has, in capitals or not: a module and its class. */
function nameMenus() {
  const named = [...document.querySelectorAll("nav[data-named]")];
  const taken = new Set(named.map((menu) => menu.getAttribute("aria-label").toLowerCase()));
  for (const menu of document.querySelectorAll("nav.md-nav nav.md-nav:not([data-named])")) {
    const labelled = document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
    const above = menu.closest("li")?.querySelector("a, label"); // a section with a page of its own
    const name = (labelled?.textContent.trim() || menu.getAttribute("aria-label") || above?.textContent || "").trim();
    const whole = `${menu.dataset.mdLevel ? "Pages" : "Sections"}: ${name}`;
    let free = whole;
    for (let use = 2; taken.has(free.toLowerCase()); use++) free = `${whole} (${use})`;
    taken.add(free.toLowerCase());
    menu.removeAttribute("aria-labelledby");
    menu.setAttribute("aria-label", free);
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

/** An empty cell of a header names nothing: it is no header, and a header with empty cells only is left out. */
function clearEmptyHeaders() {
  for (const head of document.querySelectorAll(".md-typeset thead:has(th:empty)")) {
    const cells = [...head.querySelectorAll("th:empty")];
    if (cells.length === head.querySelectorAll("th").length) head.remove();
    else for (const cell of cells) cell.replaceWith(document.createElement("td"));
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
  clearEmptyHeaders();
  focusWideTables();
}

complete();
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true }); // the theme adds parts later
addEventListener("resize", focusWideTables);
