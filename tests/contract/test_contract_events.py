"""Do the events of an action say what has happened, and does each seat see no more of them than it may?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from contract_cases import each_of_few
from contract_play import Case, mover, policy, sampled, start
from test_contract_hidden import redealt

from banakil_env.core.events import (
    DEAL,
    DRAW,
    GATHER,
    HAND,
    KINDS,
    RESHUFFLE,
    ROUND_OVER,
    SHOW,
    TABLE,
    TAKE,
    TURN_UP,
    Event,
    seen_events,
)
from banakil_env.core.scene import Scene

MOVES = 100  # of an episode that is followed from its deal


def steps(case: Case, moves: int) -> Iterator[tuple[Any, int, Any, list[Event]]]:
    """The first moves of an episode: the state before, the action, the state after, the events."""
    plain, state = case.plain, case.plain.new(**case.options, seed=case.seed)
    for _ in range(moves):
        seat = plain.seat_to_move(state)
        if seat is None:
            return
        before, seen = state.copy(), plain.observe(state, seat)
        action = policy(seen["observation"], seen["action_mask"])
        plain.apply(state, action)
        yield before, action, state, case.game.events(before, action, state)


class Places:
    """Where the cards of a scene lie: by hands, areas, and all melds together."""

    def __init__(self, scene: Scene) -> None:
        self.cards: dict[str, Counter[Any]] = {area.name: Counter(area.cards) for area in scene.areas}
        self.cards["melds"] = Counter(card for meld in scene.melds for card in meld.cards)
        for seat in scene.seats:
            self.cards[f"hand {seat.seat}"] = Counter(card for group in seat.hand or () for card in group)

    def carry_out(self, event: Event) -> None:
        """Move the cards of an event. Every card must lie where the event says that it came from."""
        if event.kind == GATHER:
            everything = sum(self.cards.values(), Counter())
            self.cards = {place: Counter() for place in self.cards} | {"stock": everything}
        elif event.target:
            source, target = (self._place(event, place) for place in (event.source, event.target))
            for card in event.cards:
                assert self.cards[source][card] > 0, f"{card} does not lie in {source}: {event}"
                self.cards[source][card] -= 1
                self.cards[target][card] += 1

    def _place(self, event: Event, place: str) -> str:
        return f"hand {event.seat}" if place == HAND else "melds" if place.startswith("meld") else place

    def differences(self, other: Places) -> dict[str, tuple[Any, Any]]:
        """The places with other cards, and what each has that the other has not."""
        pairs = {place: (+self.cards[place], +other.cards[place]) for place in self.cards}
        return {place: (here - there, there - here) for place, (here, there) in pairs.items() if here != there}


@each_of_few
def test_events_account_for_every_card_that_moved(case: Case, long: bool) -> None:
    for before, action, after, events in steps(case, MOVES * (10 if long else 1)):
        places = Places(case.game.scene(before, None))
        for event in events:
            assert event.kind in KINDS
            places.carry_out(event)
        left = places.differences(Places(case.game.scene(after, None)))
        # A wild card that is laid as a natural lies in its meld under another name; it is the same card.
        renamed = left.get("melds", (Counter(), Counter()))
        if list(left) == ["melds"] and set(renamed[0]) == {"W"} and renamed[0].total() == renamed[1].total():
            continue
        assert not left, f"{case.game.actions.text(action)}: {events}"


@each_of_few
def test_the_events_of_a_reading_change_no_state(case: Case) -> None:
    for before, action, after, events in steps(case, 20):
        kept = before.tobytes(), after.tobytes()
        assert case.game.events(before, action, after) == events
        assert (before.tobytes(), after.tobytes()) == kept


@each_of_few
def test_what_a_seat_sees_of_events_follows_from_what_it_sees_of_the_table(case: Case, long: bool) -> None:
    """With hidden cards dealt again, a seat with equal views before and after a move sees the same events."""
    game, plain = case.game, case.plain
    compared = 0
    for number, state in enumerate(sampled(case, long)[::3]):
        before = state[0]
        seat_to_move = plain.seat_to_move(before)
        if seat_to_move is None:
            continue
        seen = plain.observe(before, seat_to_move)
        action = policy(seen["observation"], seen["action_mask"])
        after = before.copy()
        plain.apply(after, action)
        events = game.events(before, action, after)
        for seat in range(case.num_players):
            other = redealt(case, state, seat, number)[0]
            if action not in plain.legal_actions(other):
                continue
            then = other.copy()
            plain.apply(then, action)
            if game.scene(then, seat) == game.scene(after, seat):
                shown = seen_events(game.events(other, action, then), seat)
                assert shown == seen_events(events, seat)
                compared += 1
    assert compared


@each_of_few
def test_a_seat_sees_no_card_in_an_event_that_the_table_does_not_show_it(case: Case) -> None:
    for before, _, after, events in steps(case, 40):
        for seat in range(case.num_players):
            visible = cards_seen(case.game.scene(before, seat)) | cards_seen(case.game.scene(after, seat))
            for event in seen_events(events, seat):
                if event.kind == SHOW and events[-1].kind != ROUND_OVER:
                    continue  # shown before the cards were dealt again
                assert {card for card in event.cards if card} <= visible, event


def cards_seen(scene: Scene) -> set[str]:
    """The cards that a scene shows its viewer."""
    cards = {card for area in scene.areas for card in area.cards if card}
    cards |= {card for meld in scene.melds for card in meld.cards}
    for seat in scene.seats:
        cards |= {card for group in seat.hand or () for card in group} | set(seat.known)
    return cards


@each_of_few
def test_cards_are_dealt_and_drawn_unseen_and_taken_publicly(case: Case) -> None:
    for _, action, _, events in steps(case, 40):
        for event in events:
            if event.kind in (DRAW, DEAL) and event.seen_by is not None and event.seat is not None:
                assert event.seen_by == (event.seat,) or event.target != HAND
                others = [seat for seat in range(case.num_players) if seat not in event.seen_by]
                assert all(set(seen.cards) == {None} for seat in [*others, None] for seen in seen_events([event], seat))
                assert event.seen_from(event.seat) == event or event.target != HAND
            if event.kind == TAKE:
                assert event.seen_by is None
        if case.game.actions[action].verb == "take":
            assert RESHUFFLE not in [event.kind for event in events if event.source != TABLE]


@each_of_few
def test_a_seat_notices_no_answer_to_a_question_that_it_does_not_know_of(case: Case) -> None:
    """To a seat that takes another one for the mover, nothing is said; a new deal it sees."""
    for number in range(20):
        state = start(case, case.seed + number)
        mover_now = mover(case, state)
        for action in case.plain.legal_actions(state[0]):
            after = state.copy()
            case.plain.apply(after[0], action)
            for seat in range(case.num_players):
                if case.game.scene(state[0], seat).to_move != mover_now:
                    seen = seen_events(case.game.events(state[0], action, after[0]), seat)
                    assert {event.kind for event in seen} <= {GATHER, DEAL, TURN_UP}
