"""Does a game whose cards the caller chooses go as the game does that shuffles? At every table, deal and reshuffle.

The engine plays a game with its generator; its engine in plain Python tells which cards came up, in which order. Chosen
one by one in `kit/chance.py`, they must lead to the same state, and to no state sooner.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from contract_cases import each_game, each_of_few
from contract_play import Case, mask_of, start

from banakil_env.core import engine
from banakil_env.core import random as generator
from banakil_env.core.game import IllegalAction
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.kit import chance
from banakil_env.kit.chance import CARD, OVER, Chance, Play, Position, next_in_hand
from banakil_env.kit.plain_python import Interpreter

MOVES = 250  # of an episode

# Of the generator in plain Python: its numbers wrap around.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar")


class Told(chance._Stock):
    """A stock in the order that the generator gave it; `told` gets the cards that are looked at."""

    def __init__(self, cards: Any, open_places: int, told: list[int]) -> None:
        super().__init__(cards, open_places, lambda kind, counts: self._tell(counts))
        self.told, self.order, self.place = told, cards.copy(), 0

    def _decide(self, place: int) -> None:
        self.place = place
        super()._decide(place)

    def _tell(self, counts: dict[int, int]) -> int:
        face = int(self.order[self.place])
        if len(counts) > 1:
            self.told.append(face)
        return face


PLAIN = Interpreter({})


def _shuffle(table: Any, cards: Told, n: int) -> None:
    PLAIN(generator.shuffle)(table, cards.cards, n)
    cards.order = cards.cards.copy()
    cards.shuffle(int(n))


def _random_below(table: Any, n: int) -> Any:
    found = PLAIN(generator.random_below)(table, n)
    table.stock.told.append(int(found))
    return found


TELL = Interpreter({generator.shuffle: _shuffle, generator.random_below: _random_below})


def told_of(states: Any, open_places: int, function: Callable[[Any], None]) -> list[int]:
    """What chance decides while a function of the engine goes on with the generator of a state."""
    table, told = chance._Table(states.copy(), open_places, iter(())), []
    vars(table)["stock"] = Told(table.stock.cards, open_places, told)
    function(table)
    return told


def chosen_one_by_one(step: Callable[[list[int]], Position | Chance], told: list[int]) -> Position:
    """The position that these outcomes lead to, each of which must be asked for."""
    for count in range(len(told)):
        now = step(told[:count])
        assert isinstance(now, Chance), f"{len(told) - count} outcomes are left"
        assert told[count] in dict(now.outcomes)
        assert sum(probability for _, probability in now.outcomes) == pytest.approx(1)
        assert [outcome for outcome, _ in now.outcomes] == sorted(dict(now.outcomes))
        assert 1 < len(now.outcomes) <= chance.MOST_OUTCOMES
    now = step(told)
    assert isinstance(now, Position)
    return now


def assert_same(position: Position, states: Any) -> None:
    """The same game, but for the order of the open cards, and the generator, which is not asked."""
    mine, theirs = position.record[0].copy(), states[0].copy()
    places = [at for at in range(position.open.bit_length()) if position.open >> at & 1]
    assert len(places) <= mine.stock_size
    for state in (mine, theirs):
        state.rng = 0
        state.stock[places] = np.sort(state.stock[places])
    assert mine.tobytes() == theirs.tobytes()


@each_of_few
def test_the_cards_that_the_generator_gives_lead_to_its_states(case: Case) -> None:
    game, play, dice = case.game, Play(case.game), random.Random(case.seed)
    states = game.new(**case.options)
    states["rng"] = start(case, case.seed)["rng"]  # any
    told = told_of(states, 0, TELL(engine.start_episode))
    blank = states.copy()
    kernels_of(game).start_next(states)
    now = chosen_one_by_one(functools.partial(play.start, blank), told)
    assert_same(now, states)
    asked = 0
    for _ in range(MOVES):
        if now.seat == OVER:
            break
        before = Position(states.copy(), now.open, now.seat)
        action = dice.choice(np.flatnonzero(mask_of(game, states)).tolist())
        kernels_of(game).apply_one(states, action)
        after = play.apply(before, action)
        if isinstance(after, Chance):
            told = told_of(before.record, now.open, functools.partial(TELL(engine.carry_out), action=action))
            after = chosen_one_by_one(functools.partial(play.apply, before, action), told)
            asked += 1
        elif after.open == before.open:  # else the last open card was taken, which is no chance
            assert_same(after, mixed_and_played(case, before, action, dice))
        assert_same(after, states)
        now = after
    assert asked or now.seat == OVER or not now.open  # a short game, or one whose cards are all looked at in the deal


@each_game
def test_cards_that_are_shuffled_in_an_action_lead_to_its_state(name: str) -> None:
    """A pile that becomes the stock, and the next deal of a match."""
    game, play, dice, followed = find(name), Play(find(name)), random.Random(name), 0
    states = game.new(episode="match")
    kernels_of(game).start_one(states, np.uint64(3))
    while followed < 3:
        before = Position(states.copy(), (1 << int(states[0].stock_size)) - 1, 0)
        action = dice.choice(np.flatnonzero(mask_of(game, states)).tolist())
        over = kernels_of(game).apply_one(states, action) == OVER
        if states[0].rng != before.record[0].rng:
            told = told_of(before.record, before.open, functools.partial(TELL(engine.carry_out), action=action))
            assert_same(play.apply(before, action, told), states)
            followed += 1
        if over:
            kernels_of(game).start_next(states)


def mixed_and_played(case: Case, before: Position, action: int, dice: random.Random) -> Any:
    """The states after an action with the open cards in another order, which must be in that order still."""
    states = before.record.copy()
    places = [at for at in range(before.open.bit_length()) if before.open >> at & 1]
    mixed = dice.sample(states[0].stock[places].tolist(), len(places))
    states[0].stock[places] = mixed
    kernels_of(case.game).apply_one(states, action)
    assert states[0].stock[places].tolist() == mixed
    return states


@each_game
def test_a_position_is_not_changed_and_an_illegal_action_is_refused(name: str) -> None:
    game, dice = find(name), random.Random(name)
    play, blank, chosen = Play(game), game.new(), []
    while isinstance(now := play.start(blank, chosen), Chance):
        assert now.kind == CARD
        chosen.append(dice.choice(now.outcomes)[0])
    before = now.record.tobytes(), now.open
    legal = np.flatnonzero(mask_of(game, now.record)).tolist()
    for action in legal:
        play.apply(now, action)
    assert (now.record.tobytes(), now.open) == before
    with pytest.raises(IllegalAction, match="is not legal"):
        play.apply(now, next(action for action in range(game.num_actions) if action not in legal))


def test_outcomes_that_chance_does_not_have_are_refused() -> None:
    play, blank = Play(find("yaniv")), find("yaniv").new()
    with pytest.raises(ValueError, match="200 is not an outcome of this chance; there are 0, 1, 2"):
        play.start(blank, [200])
    with pytest.raises(ValueError, match="1 more outcomes were chosen than chance has here"):
        play.start(blank, [*range(11), 3])


def test_a_card_comes_as_often_as_the_pack_has_it() -> None:
    """Of Yaniv's 54 cards the two Jokers have one face."""
    first = Play(find("yaniv")).start(find("yaniv").new())
    assert isinstance(first, Chance)
    assert sorted(round(54 * probability) for _, probability in first.outcomes) == [1] * 52 + [2]


def test_a_sorted_hand_is_dealt_with_the_chances_of_a_shuffled_pack() -> None:
    pool = {0: 2, 1: 1, 3: 2, 4: 2, 5: 1}
    pack = [face for face, count in pool.items() for _ in range(count)]
    for size in (1, 2, 4, len(pack)):
        hands = Counter(combinations(pack, size))
        for hand, count in hands.items():
            probability = 1.0
            for place, face in enumerate(hand):
                ways = next_in_hand(pool, hand[:place], size)
                probability *= ways[face] / sum(ways.values())
            assert probability == pytest.approx(count / hands.total())


def test_a_deal_of_sorted_hands_has_one_history() -> None:
    """MINI of Banakil: 20 hands of three, 3 of two from the other cards; each as likely."""
    play, blank = Play(find("banakil"), sorted_hands=True), find("banakil").new(rules="mini")
    deals: dict[bytes, float] = {}

    def walk(chosen: tuple[int, ...], probability: float) -> None:
        now = play.start(blank, chosen)
        if isinstance(now, Position):
            hands = now.record["hands"].tobytes()
            assert hands not in deals
            deals[hands] = probability
            return
        for face, its_own in now.outcomes:
            walk((*chosen, face), probability * its_own)

    walk((), 1.0)
    assert len(deals) == 60
    assert list(deals.values()) == pytest.approx([1 / 60] * 60)


@each_game
def test_sorted_hands_are_refused_where_the_cards_decide_who_gets_them(name: str) -> None:
    """A red Three is laid down and another card dealt in its place."""
    game = find(name)
    if name in ("canasta", "hand_and_foot"):
        with pytest.raises(ValueError, match="decide to whom a card is dealt"):
            Play(game, sorted_hands=True).check_sorted(game.new())
    else:
        Play(game, sorted_hands=True).check_sorted(game.new())
