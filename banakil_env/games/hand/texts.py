"""Hand in words: positions, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.core.scene import Area, Meld, Scene
from banakil_env.games.hand import state as S
from banakil_env.games.hand.moves import aces_for_taken
from banakil_env.games.hand.rules import JOKERS, Rules
from banakil_env.games.hand.state import ENDINGS, HAND_SIZE, MAX_MELDS, NOTHING
from banakil_env.kit import pack52
from banakil_env.kit import table_state as T
from banakil_env.kit.cards import Faces
from banakil_env.kit.melds.one_wild_melds import FACES, NUM_FACES, WILD, meld_faces, parse_meld
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack54 import faces_in, hand_of
from banakil_env.kit.partners import split_partners
from banakil_env.kit.positions import KEYS, Positions
from banakil_env.kit.scenes import facts_of, pile_and_stock, seat_view, table_scene
from banakil_env.kit.setup import forfeits

PHASES = {S.REDEAL: "redeal", S.DISCARD: "discard", T.DRAW: "draw", T.PLAY: "play", T.OVER: "over"}
_DECISIONS = {
    S.REDEAL: "say whether the hands are thrown in",
    S.DISCARD: "discard a card",
    T.DRAW: "draw or take",
    T.PLAY: "play or discard",
    T.CHOOSE: "choose a meld",
}
_FLAGS = ("in one turn", "laid off", "down to one", "owes wild")
MARKS = {"full hand": "the round was won with a full hand (H9.2)"}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
forfeit = forfeits({"round": 400, "match": 1500})


def _melds_of(state: Any, seat: int | None = None) -> list[tuple[int, str]]:
    """Owner and text of every meld, in the order of opening; of one seat."""
    slots = range(int(state.num_melds))
    melds = [(int(state.meld_owner[slot]), FACES.text(meld_faces(state.melds[slot]))) for slot in slots]
    return [meld for meld in melds if seat is None or meld[0] == seat]


class HandPositions(Positions):
    """Positions of Hand. Cards that no line names are dealt."""

    keys: ClassVar[tuple[str, ...]] = (
        *(key for key in KEYS if key not in ("played", "seen")),
        *("indicator", "need", "unscored"),
    )
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = True

    def header(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`; partners are named behind the preset."""
        (key, rules), *lines = super().header(state)
        preset, *switches = rules.split()
        return [(key, " ".join([preset, *["partners"] * int(state.partners), *switches])), *lines]

    def table(self, lines: Lines) -> npt.NDArray[Any]:
        """See `Positions`."""
        rules, partners = lines.parse("rules", split_partners) if "rules" in lines else ("", None)
        parsed = lines.parse("rules", lambda _: Rules.parse(rules)) if "rules" in lines else Rules()
        players = 4 if partners and "players" not in lines else lines.players(S.SEATS, by_turn=True)
        if partners and players != 4:
            raise lines.fail("rules", f"partners need four players, not {players}")
        episode = lines.one_of("episode", T.EPISODES[0], T.EPISODES)
        return self.game.new(num_players=players, partners=bool(partners), rules=parsed, episode=episode)

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """The line `turn`, and the numbers of the deal."""
        choosing = state.phase == T.CHOOSE
        words = [f"seat {state.seat}", f"choose {S.ACTIONS.texts[S.ADD + int(state.named)]}" if choosing else ""]
        words[1] = words[1] or PHASES[int(state.phase)]
        words += [f"taken {FACES.names[state.taken]}"] if state.taken != NOTHING else []
        words += [flag for flag in _FLAGS if state[flag.replace(" ", "_")]]
        lines = [("turn", ", ".join(words))]
        lines += [("indicator", pack52.FACES.names[state.indicator])] if state.indicator != NOTHING else []
        lines += [("need", str(state.need))] if state.need != state.rules.first_meld else []
        return lines + ([("unscored", str(state.unscored))] if state.unscored else [])

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        seats = range(int(state.num_players))
        owners = [owner for owner, _ in _melds_of(state)]
        lines = [(f"hand {seat}", FACES.text(faces_in(state.hands[seat]))) for seat in seats]
        for seat in sorted(set(owners)):
            lines.append((f"melds {seat}", " | ".join(text for _, text in _melds_of(state, seat))))
        lines += [("order", joined(owners))] if owners != sorted(owners) else []
        lines += [(f"known {seat}", FACES.text(faces_in(state.known[seat]))) for seat in seats if state.known[seat, 0]]
        lines.append(("pile", FACES.text(state.pile[: state.pile_size])))
        return [*lines, ("stock", FACES.text(state.stock[: state.stock_size][::-1]))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`. A hand left out gets 14 cards of what is left, then the stock the rest."""
        self._read_numbers(lines, state)
        self._read_melds(lines, state)
        rest = self._cards_left(lines, state)
        seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
        mixed = np.array(rest, np.int64)
        shuffle(state, mixed, len(rest))
        rest = mixed.tolist()
        for seat in range(int(state.num_players)):
            key = f"hand {seat}"
            hand = lines.cards(key) if key in lines else [rest.pop() for _ in range(min(HAND_SIZE, len(rest)))]
            state.hands[seat] = hand_of(hand)[: S.LAYERS]
            known = lines.cards(f"known {seat}")
            if Counter(known) - Counter(hand):
                raise lines.fail(f"known {seat}", "cards that are not in the hand")
            state.known[seat] = hand_of(known)[: S.LAYERS]
        pile = lines.cards("pile")
        stock = lines.cards("stock") if "stock" in lines else rest
        if "stock" in lines and rest:
            raise PositionError(f"{FACES.text(sorted(rest))}: in no line; a position tells where all cards are")
        state.pile[: len(pile)], state.pile_size = pile, len(pile)
        state.stock[: len(stock)], state.stock_size = stock[::-1], len(stock)

    def _read_numbers(self, lines: Lines, state: Any) -> None:
        """Indicator, need, unscored deals."""
        state.indicator = NOTHING
        if "indicator" in lines:
            state.indicator = lines.parse("indicator", pack52.FACES.parse)
        if ("indicator" in lines) == (state.rules.wilds == JOKERS):
            said = "none is turned up with wilds=jokers" if "indicator" in lines else "the line is missing"
            raise lines.fail("indicator", said)
        state.need = lines.number("need", int(state.rules.first_meld), 0, S.MAX_NEED)
        state.unscored = lines.number("unscored", 0, 0, int(state.rules.max_unscored))

    def _read_melds(self, lines: Lines, state: Any) -> None:
        melds = {}
        for seat in range(int(state.num_players)):
            if lines.values.get(f"melds {seat}"):
                melds[seat] = lines.parse(f"melds {seat}", lambda text: [parse_meld(part) for part in text.split("|")])
        owners = [seat for seat, own in melds.items() for _ in own]
        if "order" in lines:
            order = lines.seats("order", int(state.num_players))
            if sorted(order) != owners:
                raise lines.fail("order", f"expected the owners {joined(owners)} in the order of opening")
            owners = order
        if len(owners) > MAX_MELDS:
            raise PositionError(f"{len(owners)} melds; the packs have cards for {MAX_MELDS}")
        waiting = {seat: iter(own) for seat, own in melds.items()}
        for slot, owner in enumerate(owners):
            state.melds[slot], state.meld_owner[slot] = next(waiting[owner]), owner
        state.num_melds = len(owners)

    def _cards_left(self, lines: Lines, state: Any) -> list[int]:
        """The cards of the packs that no line names. PositionError: one is named more often than there are."""
        left = np.zeros(NUM_FACES, np.int64)
        interpreted(S.count_pack)(state, left)
        aces = int(interpreted(aces_for_taken)(state))
        for meld in state.melds[: state.num_melds]:
            np.subtract.at(left, meld_faces(meld), 1)
        for key in lines.values:
            if key.split()[0] in ("hand", "pile", "stock"):
                np.subtract.at(left, lines.cards(key), 1)
        for face in range(WILD):
            if left[face] < 0 and aces >> face & 1:  # a wild card taken from the pile (H7.4)
                left[WILD] += left[face]
                left[face] = 0
        if (left < 0).any():
            raise PositionError(f"{FACES.text(np.flatnonzero(left < 0))}: named more often than the packs have it")
        return [face for face, count in enumerate(left) for _ in range(count)]

    def read_turn(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        over = "over" in lines
        said = lines.values.get("turn", f"seat 0, {PHASES[T.OVER if over else T.DRAW]}")
        first, *words = (" ".join(word.split()) for word in said.split(","))
        name, _, number = first.partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
        state.seat = lines.seat("turn", number, int(state.num_players))
        state.taken = NOTHING
        numbers = {text: phase for phase, text in PHASES.items()}
        phase = words.pop(0) if words else "draw"
        if phase.startswith("choose "):
            state.phase, state.named = T.CHOOSE, self._named(lines, phase.removeprefix("choose "))
        elif phase in numbers:
            state.phase = numbers[phase]
        else:
            raise lines.fail("turn", f"expected {', '.join(numbers)} or choose PLAY after the seat, not {phase!r:.80}")
        if (state.phase == T.OVER) != over:
            raise lines.fail("turn", "a game is over if there is a line 'over', and only then")
        if len({word.partition(" ")[0] for word in words}) < len(words):
            raise lines.fail("turn", "one word is said twice")
        for word in words:
            if word.startswith("taken "):
                state.taken = lines.card("turn", word.removeprefix("taken "))
                self._know(state, int(state.taken))
            elif word in _FLAGS:
                state[word.replace(" ", "_")] = 1
            else:
                raise lines.fail("turn", f"{word!r:.80} is none of taken CARD, {', '.join(_FLAGS)}")
        if state.owes_wild:
            self._know(state, WILD)

    def _know(self, state: Any, face: int) -> None:
        """A card that the line `turn` names is known, also where no line `known` says it."""
        known = faces_in(state.known[state.seat])
        if face not in known and face in faces_in(state.hands[state.seat]):
            state.known[state.seat] = hand_of([*known, face])[: S.LAYERS]

    def _named(self, lines: Lines, text: str) -> int:
        try:
            action = S.ACTIONS.parse(text)
        except UnknownAction as error:
            raise lines.fail("turn", str(error)) from None
        if not S.ADD <= action < S.DROP:
            raise lines.fail("turn", f"only an addition or exchange waits for its meld, not {text!r:.80}")
        return action - S.ADD

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """See `Positions`."""
        full = state.ending == T.OUT and state.points[state.winner] < -30
        return ("full hand",) if full else ()


POSITIONS = HandPositions(ENDINGS, seat_endings=(T.OUT, T.MATCH))


def explain(state: Any) -> str:
    """What is to be decided, and what has to be done before the discard; see `core.game.Texts`."""
    said = f"seat {state.seat} is to {_DECISIONS[int(state.phase)]}"
    if state.taken != NOTHING:
        said += f"; {FACES.names[state.taken]} was taken and has to be laid (H7.1)"
    if state.owes_wild:
        said += "; an exchanged wild card has to be laid at once (reuse_wild)"
    if state.down_to_one:
        said += "; one card at most may be left (H6.3)"
    return said + f"; the first meld must be worth {state.need} (H5.1)" * int(state.in_one_turn)


# The scene -----------------------------------------------------------------------------------------------------------


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    n, mover, phase = int(state.num_players), int(state.seat), int(state.phase)
    if phase == S.REDEAL and viewer not in (None, mover):  # H2.5
        mover, phase = (int(state.dealer) + 1) % n, S.DISCARD
    kind = ("partners" if state.partners else "individuals") if n == 4 else "players"
    turned = () if state.indicator == NOTHING else (pack52.FACES.names[state.indicator],)
    return table_scene(
        state,
        viewer,
        POSITIONS,
        seats=(
            seat_view(
                state,
                seat,
                FACES,
                faces_in(state.hands[seat]),
                faces_in(state.known[seat]),
                shown=viewer in (None, seat),
                side=int(interpreted(S.side_of)(state, seat)),
            )
            for seat in range(n)
        ),
        areas=(
            *pile_and_stock(state, FACES, open_stock=viewer is None),
            Area("indicator", turned, len(turned), "as printed"),
        ),
        melds=(Meld(slot, owner, tuple(text.split())) for slot, (owner, text) in enumerate(_melds_of(state))),
        decision=_decision(state, phase),
        facts=(*facts_of(state, POSITIONS, f"of {state.rules.rounds} rounds"), f"first melds need {state.need}"),
        mover=mover,
        players=kind,
    )


def _decision(state: Any, phase: int) -> str:
    said = _DECISIONS.get(phase, "")
    if phase == T.CHOOSE:
        said += f" for {S.ACTIONS.texts[S.ADD + int(state.named)]}"
    return said + (f"; {FACES.names[state.taken]} was taken" if state.taken != NOTHING else "")
