"""The rules of a table in plain words: each game has a page of text with conditions.

A game has a page `rules.md` in its folder. The page holds the text of all variants; a table gets the parts whose
conditions are true for it. A line that begins with `#` is a title and begins a section. An empty line or a `- ` begins
a paragraph. This is the notation:

    let packs = 2 if players > 4 else 1           a name for a number, at the top of the page

    ## [calls] Calling                            a section for tables where the switch `calls` is on
    [stock_out=end] The round ends at once,       a sentence for tables with this value of a switch; its further
      and nobody scores.                          lines are indented
    [partners]                                    alone on a line: the whole paragraph
    Draw [players>2? a card | two cards].         one of several wordings; the last can be without a condition
    It needs [and: {a: pile | piles} | a yes].    the parts that are not empty, joined; `[;: ...]` joins by semicolons
    The stake is {stake}, the prize {2*stake}.    numbers
    {hand_cards in words}, {calls: card | cards}  "ten", "three cards"
    @limits                                       a paragraph of `shared.md`, which all games use

Conditions and numbers are Python expressions. They can use the switches, the properties of the game's `Rules`, the
names defined on the page, and `players`, `partners` and `match` of the table. `=` compares; the value of a switch is
written as in a text of rules. A mistake raises `RulesPageError` with the file and the line when the page is read.
"""

from banakil_env.kit.rules_pages.page import Page, TableFacts
from banakil_env.kit.rules_pages.reading import RulesPageError, read_page
from banakil_env.kit.rules_pages.words import counted, number

__all__ = ["Page", "RulesPageError", "TableFacts", "counted", "number", "read_page"]
