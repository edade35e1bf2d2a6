"""How may a move be written, and what may befall a reply? For the tests of replies in every game."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence

SUITS = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "7": "seven", "2": "two"}
CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")

# Writes a move's cards: as the table of actions does, with symbols, in words.
STYLES = ("letters", "symbols", "words")


def styled(text: str, style: str) -> str:
    """A move with its cards in a style: `discard Th`, `discard 10♥`, `discard ten of hearts`."""
    if style == "symbols":
        return CARD.sub(lambda card: card[1].replace("T", "10") + SUITS[card[2]][0], text)
    if style == "words":
        return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])} of {SUITS[card[2]][1]}", text)
    return text


def spellings(text: str) -> list[str]:
    """A move as people write it: symbols, ten as 10, cards in words, other case, quotes, a list."""
    symbols, words = styled(text, "symbols"), styled(text, "words")
    return [
        f"MOVE: {text}",
        f"I could draw, or not.\n\n**Move:** `{symbols}`.",
        f"MOVE: something else\nmove: {words.title()}",
        text.upper(),
        f"Let me see: MOVE: pass?\n```json\n{json.dumps({'move': text})}\n```",
        f"{json.dumps({'Moves': [text]})} is my answer",
        f"> MOVE:   {symbols.replace(' ', '   ')}  ",
        f"MOVE: pass\nThat is not best.\nFinal answer: MOVE: {symbols}",
        f"Their last move: pass\n## My final move: {text}",
        f"**MOVE:** {words}",
        f"MOVE\uff1a{text}",
        f"I think so: <move>{words}</move>",
        f"<MOVE>\nMOVE: {symbols}\n</MOVE>",
    ]


def meaning(move: str, words: Sequence[str]) -> list[str]:
    """The words of a reply as a move spells them, sorted: without a suit where the move names the rank alone."""
    named = move.lower().split()
    suited = [word not in named and CARD.fullmatch(word[:1].upper() + word[1:]) for word in words]
    return sorted(word[0] if extra else word for word, extra in zip(words, suited))


HOSTILE = (
    *("", " \n\t", "MOVE:", "move: ;;;", "MOVE: \u202edraw", "{" * 5000, '{"move": ' * 3000, '{"moves": []}'),
    *('{"move": null}', '{"move": {"move": "draw"}}', '{"moves": ["draw", 5]}', "MOVE: " + "draw;" * 500),
    *("MOVE: " + "9" * 10_000, "\x00MOVE: draw\x00?", "MOVE: dräw", "MOVE: not draw", "I will draw.", "💥" * 1000),
    *(
        "Their move: draw",
        "Best move: draw",
        "Answer: draw",
        "<move>draw",
        "<move>draw; <b>take</b></move>",
        "move draw",
    ),
    *("MOVE: open " + "7h " * 300, "x" * 10_000_000, "MOVE: draw\n" + "x" * 100_000, "-" * 50_000 + "move"),
)


def damage(text: str, dice: random.Random) -> str:
    """The text with a letter or two dropped, doubled, changed or exchanged."""
    letters = list(text)
    for _ in range(dice.choice((1, 1, 2))):
        place = dice.randrange(len(letters)) if letters else 0
        kind = dice.randrange(4)
        if kind == 0 and letters:
            del letters[place]
        elif kind == 1:
            letters.insert(place, dice.choice("cdhsJKQT234 ,.♥"))
        elif kind == 2 and letters:
            letters[place] = dice.choice("cdhsJKQT234567890 ")
        elif len(letters) > 1:
            letters[place], letters[place - 1] = letters[place - 1], letters[place]
    return "".join(letters)
