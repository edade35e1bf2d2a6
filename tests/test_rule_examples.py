"""Do the engine and the referee of each game come out as every example of the rules page says?"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hand_positions import fill
from referees import referee_of
from rule_examples import Example, check_after, check_outcome, examples_of, without_generator
from yaniv_referee import complete

from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain

# Banakil's examples are about melds and points; Gin Rummy follows OpenSpiel.
WITHOUT = {"banakil", "gin"}
# These write whole positions: what is read is written back to the letter.
WHOLE = {"contract", "kalooki", "oklahoma", "rummy", "rummy500", "tonk"}
ORDERED = {"contract", "kalooki"}  # their legal actions are listed in the order of the table
# For these the referee needs the cards that an example leaves out.
COMPLETE: dict[str, Callable[[str], str]] = {"hand": fill, "yaniv": complete}


def engine_comes_out(name: str, example: Example) -> None:
    plain = Plain(find(name))
    state = plain.from_text(example.position)
    if name in WHOLE:
        assert without_generator(plain.to_text(state)) == without_generator(example.position)
    assert plain.from_text(plain.to_text(state)).tobytes() == state.tobytes()
    if example.legal is not None:
        legal = [plain.action_text(action) for action in plain.legal_actions(state)]
        assert legal == example.legal if name in ORDERED else set(legal) == set(example.legal)
    for action in example.actions:
        plain.apply(state, plain.parse_action(action))
        assert plain.from_text(plain.to_text(state)).tobytes() == state.tobytes(), action
    check_after(example, plain.to_text(state))
    if example.ends:
        check_outcome(example, plain.game.outcome(state))
        assert plain.is_over(state)


def referee_comes_out(name: str, example: Example) -> None:
    referee = referee_of(name)(COMPLETE.get(name, str)(example.position))
    text = referee.to_text()
    if name in WHOLE:
        assert without_generator(text) == without_generator(example.position)
    assert referee_of(name)(text).to_text() == text
    if example.legal is not None:
        assert referee.legal() == set(example.legal)
    for number, action in enumerate(example.actions, 1):
        # Where chance has a part in the last action, the referee reads it from the position after it.
        told = number == len(example.actions) and "\nrng:" in example.whole_after
        referee.apply(action, example.whole_after if told else None)
    check_after(example, referee.to_text())
    assert bool(referee.over) == (not referee.legal())


@pytest.mark.parametrize("comes_out", [engine_comes_out, referee_comes_out])
@pytest.mark.parametrize("name", [name for name in GAMES if name not in WITHOUT])
def test_every_example_comes_out(name: str, comes_out: Callable[[str, Example], None]) -> None:
    """All examples of a game in one test; a failure names each that came out otherwise."""
    examples, wrong = examples_of(name), []
    for example in examples:
        try:
            comes_out(name, example)
        except Exception as error:
            wrong.append(f"{example.note}: {error!r}")
    assert len(examples) >= 20
    assert not wrong, "\n\n".join(wrong)
