"""How does one play Banakil in OpenSpiel? Importing this module registers `python_banakil` with `pyspiel`.

    >>> import pyspiel, banakil_env.envs.openspiel
    >>> game = pyspiel.load_game("python_banakil(rules=mini)")

Parameters, each with its default: `players=2`; `rules=pagat`, a preset and then switches, for four `partners` or
`individuals` too (`rules=pagat individuals wilds:fixed`, with a colon since OpenSpiel's text of a game keeps `=` for
itself); `reward=margin`, or `points`, `win`.

An episode is a round, dealt by explicit chance: every card that is dealt or drawn is an outcome, its face, so that
algorithms that need the whole tree get it (`rules=mini`, B10), and sampling algorithms can use the full pack. A hand is
dealt in the order of its faces, so that each deal has one history. Actions and observations are those of every other
interface. The information state is the own cards as they came and all that everybody saw: perfect recall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from banakil_env.core.game import REWARDS, IllegalAction
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, OVER, kernels_of, legal_actions, refusal
from banakil_env.games.banakil.actions import DISCARD, DRAW_STOCK, NUM_ACTIONS, action_text
from banakil_env.games.banakil.dealing import deal_cards, lay_undealt, next_in_hand, put_next
from banakil_env.games.banakil.faces import ALL_TWOS, FACES, NUM_FACES
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import Rules
from banakil_env.games.banakil.scoring import value_of_cards
from banakil_env.games.banakil.state import MAX_SEATS, ace_value_of
from banakil_env.kit.pack54 import faces_in
from banakil_env.kit.partners import split_partners
from banakil_env.kit.recall import NO_ACTION, NO_CARD, NOBODY, Event, View, is_of_a_player
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import CHOOSE

DEFAULTS = {"players": 2, "rules": "pagat", "reward": "margin"}


def _game_type(utility: Any) -> Any:
    return pyspiel.GameType(
        short_name="python_banakil",
        long_name="Banakil",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class BanakilGame(pyspiel.Game):
    """A table of Banakil as an OpenSpiel game.

    Raises:
        RulesError: parameters that do not exist or fit together; or `cutter_takes_wilds`, whose cut is no card.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        chosen["rules"] = chosen["rules"].replace("=", ":")
        text, partners = split_partners(chosen["rules"].replace(":", "="))
        rules = Rules.parse(text)
        if rules.cutter_takes_wilds:
            raise RulesError(
                "cutter_takes_wilds: in OpenSpiel chance deals cards and cuts no pack; leave it off (B9.2)"
            )
        if chosen["reward"] not in REWARDS:
            raise RulesError(f"reward must be {' or '.join(map(repr, REWARDS))}, not {chosen['reward']!r}")
        self.rules = rules
        self.reward = chosen["reward"]
        self.undealt = GAME.new(num_players=chosen["players"], partners=partners, rules=rules)
        lay_undealt(self.undealt)
        state = self.undealt[0]
        self.actions_of_deal = _most_actions(rules)
        # After a void deal (B9.9), which takes as many turns as there are players, the game starts again.
        deals = 1 + rules.max_turns // chosen["players"] if rules.discard_taken else 1
        low, high = _utility_bounds(state, rules, self.reward)
        zero_sum = self.reward == "margin"
        utility = pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=NUM_FACES,
            num_players=chosen["players"],
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=deals * self.actions_of_deal,
        )
        super().__init__(_game_type(utility), info, chosen)

    def new_initial_state(self) -> BanakilState:
        """A round of which no card is dealt."""
        return BanakilState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """The writer of tensors and strings: of the observation, or with perfect recall of the information state.

        None: an observer that does not see what a player sees; OpenSpiel expects None for it.
        """
        if not is_of_a_player(iig_obs_type):
            return None
        return View(GAME, iig_obs_type, params, self.num_players(), self.actions_of_deal)


def _most_actions(rules: Rules) -> int:
    """Upper bounds on the actions and on the chance outcomes of a deal.

    A turn has a draw and a discard. Naturals and Twos come to the table once; a Joker comes again only after an
    exchange, which lays a natural. So each card has at most two plays, and the choice of a meld may follow each.
    """
    return 2 * rules.max_turns + 4 * rules.pack_size


def _utility_bounds(state: Any, rules: Rules, reward: str) -> tuple[float, float]:
    """Lower and upper bound of every return (B7)."""
    if reward == "win":
        return -1.0, 1.0
    ace_value = int(interpreted(ace_value_of)(state))
    pack = value_of_cards(faces_in_pack(state), ace_value) + value_of_cards(pairs_in_pack(state), ace_value)
    cards, bonus = pack // 2 + 1, max(rules.hand_bonus or (0, 0))  # points
    low, high = -max(cards, 20), max(cards + 20, 40, bonus)
    if state.partners:  # a side adds up two players, or takes one off
        low, high = 2 * low - cards, 2 * high + cards
    return (float(low - high), float(high - low)) if reward == "margin" else (float(low), float(high))


class Round(NamedTuple):
    """The content of a state of OpenSpiel. Immutable, with its records, so that copies share it."""

    record: Any  # an array of one STATE
    player: int
    dealing: tuple[int, ...] | None = ()  # the cards dealt so far, in the order of seats; None: all are
    drawing: bool = False  # the seat to move has said `draw`
    events: tuple[Event, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Round:
        return self


CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)


class BanakilState(pyspiel.State):
    """A state of the round; `record` is the record of the plain interface."""

    def __init__(self, game: BanakilGame) -> None:
        super().__init__(game)
        self._round = Round(game.undealt, CHANCE)

    @property
    def record(self) -> Any:
        """The record of `STATE`, not to be changed. The next card of the stock is still to be drawn by chance."""
        return self._round.record[0]

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far."""
        return self._round.events

    # What OpenSpiel asks for

    def current_player(self) -> int:
        """The seat to move, or CHANCE, or TERMINAL."""
        return self._round.player

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self._round.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(GAME, self._round.record)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces that may be dealt or drawn next, each with its probability."""
        state, dealing = self.record, self._round.dealing
        stock = state.stock[: state.stock_size].tolist()
        if dealing is None:
            return [(face, stock.count(face) / len(stock)) for face in sorted(set(stock))]
        sizes = _hand_sizes(state)
        begun = 0
        while sizes and begun + sizes[0] <= len(dealing):
            begun += sizes.pop(0)
        pool = np.bincount(stock, minlength=NUM_FACES) - np.bincount(dealing[:begun], minlength=NUM_FACES)
        return next_in_hand(pool.tolist(), dealing[begun:], sizes[0] if sizes else 1)

    def _apply_action(self, action: int) -> None:
        if self._round.dealing is not None:
            self._round = self._after_deal(action)
        elif self._round.drawing:
            self._round = self._after_play(DRAW_STOCK, action)
        elif action == DRAW_STOCK and self.record.stock_size:
            self._round = self._round._replace(player=CHANCE, drawing=True)
        else:
            self._round = self._after_play(action, NO_CARD)

    def _action_to_string(self, player: int, action: int) -> str:
        return FACES.names[action] if player == CHANCE else action_text(action)

    def returns(self) -> list[float]:
        """The return of each seat; zeros until the round is over."""
        rewards = np.zeros(self.num_players())
        kernels_of(GAME).end_one(self._round.record, REWARDS[self.get_game().reward], rewards)
        return rewards.tolist()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> BanakilState:
        """Another state that the player cannot tell from this one: hidden cards are dealt again.

        The deal is uniform among those that agree with what everybody has seen. What the others were dealt and drew is
        made to fit; `history()` still tells what happened in this state.
        """
        rng = np.random.default_rng(int(sampler() * 2**53))
        record = self._round.record.copy()
        kernels_of(GAME).redeal_hidden_one(record, player, rng.integers(2**63, dtype=np.uint64))
        events = retold(self._round.events, record[0], player, rng)
        other = self.clone()
        other._round = self._round._replace(record=record, events=events)
        return other

    def __str__(self) -> str:
        return " | ".join(" ".join(filter(None, (event.text, event.secret))) for event in self._round.events)

    # What follows an outcome of chance or an action

    def _after_deal(self, face: int) -> Round:
        now = self._round
        dealing = (*(now.dealing or ()), face)
        sizes = _hand_sizes(now.record[0])
        upcard = self.get_game().rules.upcard
        if len(dealing) < sum(sizes) + upcard:
            return now._replace(dealing=dealing)
        record = now.record.copy()
        deal_cards(record, np.array(dealing))
        events, rest = list(now.events), dealing
        for seat, size in enumerate(sizes):
            events.append(Event(seat, "", dealt_text(list(rest[:size]))))
            rest = rest[size:]
        events.append(Event(NOBODY, "up " + FACES.text(rest)))
        return Round(record, int(record[0].seat), None, False, tuple(events))

    def _after_play(self, action: int, face: int) -> Round:
        now = self._round
        record, seat = now.record.copy(), int(now.record[0].seat)
        if face != NO_CARD:
            put_next(record, face)
        player = kernels_of(GAME).apply_one(record, action)
        if player == ILLEGAL:
            raise IllegalAction(refusal(GAME, now.record[0], action))
        text = f"{seat} {action_text(action)}{_two_played(now.record[0], record[0], seat)}"
        secret = FACES.names[face] if face != NO_CARD else ""
        events = (*now.events, Event(seat, text, secret, action, face, now.record[0], record[0]))
        if player != OVER and action >= DISCARD and not record[0].had_turn:  # B9.9: a void deal
            lay_undealt(record)
            return Round(record, CHANCE, (), False, events)
        return Round(record, TERMINAL if player == OVER else player, None, False, events)


def _hand_sizes(state: Any) -> list[int]:
    """How many cards each seat is dealt (B1.3, B9.4, B10.1)."""
    rules = GAME.rules_of(state)
    first = (int(state.dealer) + 1) % int(state.num_players)
    return [rules.hand_cards + (seat == first and not rules.upcard) for seat in range(state.num_players)]


def _two_played(before: Any, after: Any, seat: int) -> str:
    """Which Two a play has shown, as the table shows it; its action names none."""
    if after.phase == CHOOSE:
        return f" ({FACES.names[after.named]})" if ALL_TWOS >> int(after.named) & 1 else ""
    gone = Counter(faces_in(before.hands[seat] & ALL_TWOS)) - Counter(faces_in(after.hands[seat] & ALL_TWOS))
    return f" ({FACES.text(gone)})" if gone else ""


def dealt_text(faces: list[int]) -> str:
    """What a seat was dealt."""
    return "dealt " + FACES.text(sorted(faces))


def retold(events: tuple[Event, ...], state: Any, player: int, rng: Any) -> tuple[Event, ...]:
    """The events with other cards dealt to and drawn by everybody but the player, such that they lead to `state`.

    Going back from the end, a card drawn was any of those that the hand held unseen after it, and what remains at the
    deal was dealt. Deals that were void (B9.9) are left as they were: nothing depends on them.
    """
    told = list(events)
    unseen = {seat: _unseen(state, seat) for seat in range(state.num_players) if seat != player}
    for i in range(len(told) - 1, -1, -1):
        event = told[i]
        if event.seat not in unseen:
            continue
        if event.action == NO_ACTION:
            told[i] = event._replace(secret=dealt_text(unseen.pop(event.seat)))
        elif event.face != NO_CARD:
            face = unseen[event.seat].pop(rng.integers(len(unseen[event.seat])))
            told[i] = event._replace(secret=FACES.names[face], face=face)
        else:
            shown = Counter(_unseen(event.before, event.seat)) - Counter(_unseen(event.after, event.seat))
            unseen[event.seat] += shown.elements()
    return tuple(told)


def _unseen(state: Any, seat: int) -> list[int]:
    """The cards of a hand that are not known to be there."""
    return list((Counter(faces_in(state.hands[seat])) - Counter(faces_in(state.known[seat]))).elements())


pyspiel.register_game(_game_type(pyspiel.GameType.Utility.ZERO_SUM), BanakilGame)
