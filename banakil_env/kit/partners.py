"""Games for four players, in partnerships or each player alone: how rules as text and tables choose between the two.

The text of the rules in a position contains the word `partners` or `individuals`; tables have the option `partners`.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from banakil_env.kit.notation import Lines
from banakil_env.kit.positions import Positions
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import EPISODES

WORDS = {"partners": True, "individuals": False}


def split_partners(text: str) -> tuple[str, bool | None]:
    """Remove the word `partners` or `individuals` from a text of rules.

    Returns the rest of the text, and True for `partners`, False for `individuals`, None for neither.
    """
    said = [word.lower() for word in text.split() if word.lower() in WORDS]
    if len(said) > 1:
        raise RulesError(f"{text!r:.80} names partners or individuals twice")
    rest = " ".join(word for word in text.split() if word.lower() not in WORDS)
    return rest, WORDS[said[0]] if said else None


def plays_partners(num_players: Any, partners: Any, default: bool) -> bool:
    """Whether a table plays in partnerships; `default` if the option is None.

    RulesError: the option is neither None nor a truth value, or partners are requested without four players.
    """
    if partners is None:
        return default
    if partners not in (True, False):
        raise RulesError(f"partners must be True, False or None, not {partners!r:.80}")
    if partners and num_players != 4:
        raise RulesError(f"partners need four players, not {num_players}; leave partners out or set it to False")
    return bool(partners)


class PartnerPositions(Positions):
    """Positions of a game with the option `partners`: the word comes after the preset in the line `rules`."""

    def partner_words(self, state: Any) -> list[str]:
        """The word about partners for the line `rules`, in a list; [] if there is none to write."""
        return ["partners"] * int(state.partners)

    def header(self, state: Any) -> list[tuple[str, str]]:
        """The lines that define the game; the word about partners comes after the preset. See `Positions.header`."""
        (key, rules), *lines = super().header(state)
        preset, *switches = rules.split()
        return [(key, " ".join([preset, *self.partner_words(state), *switches])), *lines]

    def table(self, lines: Lines) -> npt.NDArray[Any]:
        """An array of one state in which only rules, partners, players and episode are set, from their lines."""
        game = self.game
        rules, partners = lines.parse("rules", split_partners) if "rules" in lines else ("", None)
        parsed = lines.parse("rules", lambda _: game.rules.parse(rules)) if rules else game.rules.parse("")
        players = 4 if partners and "players" not in lines else self.read_players(lines, game.seats)
        episode = lines.one_of("episode", EPISODES[0], EPISODES)
        try:
            return game.new(num_players=players, partners=partners, rules=parsed, episode=episode)
        except RulesError as error:
            raise lines.fail("rules" if "rules" in lines else "players", str(error)) from None

    def read_players(self, lines: Lines, numbers: tuple[int, ...]) -> int:
        """The number of players, as in `Positions.read_players`; the seat in the line `turn` counts too."""
        return lines.players(numbers, by_turn=True)
