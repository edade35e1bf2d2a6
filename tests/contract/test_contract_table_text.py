"""Does a person, who is shown what an observation tells, see the cards that are there and no other?"""

from __future__ import annotations

from collections import Counter
from typing import Any

from contract_cases import each_of_few
from contract_play import Case, mover, sampled, seen_by

from banakil_env.agents import human
from banakil_env.agents.human import table_text
from banakil_env.core.scene import Scene, renamed


def cards_in_sight(scene: Scene) -> list[Any]:
    """The own hand, what is known of the others', heaps and melds, each as a count of cards.

    Which wild cards are in a meld is not looked at: an observation of Hand and Foot tells their number alone.
    """
    found: list[Any] = [Counter(card for group in scene.seats[0].hand or () for card in group)]
    found += [Counter(seat.known) for seat in scene.seats]
    found += [Counter(area.cards) for area in scene.areas]
    return found + [Counter("wild" if card in ("2", "JK") else card for card in meld.cards) for meld in scene.melds]


@each_of_few
def test_a_person_is_shown_no_card_that_is_not_there(case: Case, long: bool, monkeypatch: Any) -> None:
    """Where only ranks matter an observation has no suits, and none may be made up."""
    shown: list[Scene] = []
    monkeypatch.setattr(human, "draw", lambda scene: shown.append(scene) or "")
    game = case.game
    by_rank = {text.split()[1] for text in game.actions.texts if text.startswith("discard ")}
    for state in sampled(case, long)[::3]:
        if game.search is None or mover(case, state) is None:
            continue
        seen, _ = seen_by(game, state, 0)
        table_text(game, seen.view("u1"))
        real = renamed(game.scene(state[0], 0), lambda card: next((n for n in (card, card[0]) if n in by_rank), card))
        assert cards_in_sight(shown[-1]) == cards_in_sight(real)
    assert shown or game.search is None
