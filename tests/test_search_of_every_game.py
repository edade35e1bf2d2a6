"""Does the search of every game deal the hidden cards again for every deal, and do threads change nothing?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from supposed_hands import apart, hands_in, position_of, redealt

from banakil_env.agents import choose, make_player
from banakil_env.agents.search import SearchPlayer
from banakil_env.agents.supposed_deals import Deals
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.core.playouts import outcomes
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.kit.two_sides import ANSWER

SEARCHES = 60
# With fixed seeds; one of some hundred differences of means is that many standard errors off once in 10,000 tests.
UNLIKELY = 5.0
WITH_QUESTIONS = ["canasta", "hand_and_foot"]  # games in which a partner is asked


class Noting(SearchPlayer):
    """A search that keeps all deals in which it has tried its candidates."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.noted: list[npt.NDArray[Any]] = []

    def margins(self, *arguments: Any) -> npt.NDArray[np.float64]:
        """The same; the deals are noted."""
        found = super().margins(*arguments)
        self.noted.append(self.supposed.copy())
        return found


def in_common(hands: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many cards the hands of each deal have in common with those of the deal before."""
    return np.minimum(hands[1:], hands[:-1]).sum(axis=1)


def searched_hands(game: Game, state: Any, seat: int, beliefs: bool) -> list[npt.NDArray[np.int64]]:
    """The hands of the other seats in all deals, of many searches at one position."""
    player, found = Noting("40", game, beliefs=beliefs), []
    seen = Plain(game).observe(state, seat)
    for dice in range(SEARCHES):
        player.noted.clear()
        player.decide(seen["observation"].view(game.observation), seen["action_mask"], dice)
        found.append(hands_in(game, np.concatenate(player.noted), 0))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_without_beliefs_each_deal_of_a_search_is_as_a_redeal_makes_it(name: str) -> None:
    """Card by card, and by how much each deal has in common with the one before."""
    game = find(name)
    state, seat = position_of(game)
    searches = searched_hands(game, state, seat, beliefs=False)
    redeals = hands_in(game, redealt(game, state, seat, 300), seat)
    assert min(map(len, searches)) >= 2
    assert apart(np.concatenate(searches), redeals).max() < UNLIKELY
    common = np.concatenate([in_common(hands) for hands in searches])
    assert apart(common[:, None], in_common(redeals)[:, None]).max() < UNLIKELY


@pytest.mark.parametrize("name", [name for name in GAMES if find(name).search.believes])
def test_with_beliefs_the_hands_change_from_deal_to_deal(name: str) -> None:
    """In most searches already within a few deals."""
    game = find(name)
    moved = [(hands[1:] != hands[:-1]).any() for hands in searched_hands(game, *position_of(game), beliefs=True)]
    assert np.mean(moved) > 0.5


def questions(name: str, wanted: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
    """What seats of `expert` see when their partner asks whether to go out, and what they may answer."""
    game = find(name)
    tables, player = Tables(128, game=game, num_players=4, threads=1), CompiledPlayer("expert", game)
    tables.reset(seed=3)
    seen, masks = [], []
    while len(seen) < wanted:
        asked = np.flatnonzero(tables.states["phase"] == ANSWER)
        seen += list(tables.observations[asked].copy().view(game.observation).reshape(-1))
        masks += list(tables.masks[asked].copy())
        tables.step(player.act(tables.observations, tables.masks, np.zeros(128, np.uint64)))
    return np.array(seen[:wanted]), np.array(masks[:wanted])


@pytest.mark.parametrize("name", WITH_QUESTIONS)
def test_in_each_deal_the_partner_may_have_asked(name: str) -> None:
    """Otherwise it could not end its turn after a yes, and the playout would not end."""
    game, rng = find(name), np.random.default_rng(0)
    deals = Deals(game, "expert")
    for seen, mask in zip(*questions(name, 40)):
        deals.suppose(np.array([seen]), rng)
        assert deals.offers(mask)
        assert np.isfinite(deals.margins(np.flatnonzero(mask), rng, 8)).all()
        assert [Plain(game).check(deal) for deal in deals.supposed] == [None] * 8


@pytest.mark.parametrize("name", WITH_QUESTIONS)
def test_where_no_deal_fits_a_question_the_player_of_the_playouts_answers(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find(name)
    seen, masks = questions(name, 1)
    monkeypatch.setattr(Deals, "offers", lambda self, mask: False)
    player = SearchPlayer("40", game)
    own = CompiledPlayer("expert", game).act(seen.view(np.uint8).reshape(1, -1), masks, np.zeros(1, np.uint64))
    assert player.decide(seen, masks[0], 0) == own[0]
    assert player.tried == 0


def test_in_hand_and_foot_the_feet_change_from_deal_to_deal() -> None:
    """Nobody has seen a foot, not even its owner."""
    game, rng = find("hand_and_foot"), np.random.default_rng(0)
    state, seat = position_of(game)
    for beliefs in (True, False):
        deals = Deals(game, "expert", beliefs)
        deals.suppose(Plain(game).observe(state, seat)["observation"].view(game.observation), rng)
        deals.margins(np.empty(0, np.int64), rng, 40)
        feet = deals.supposed["feet"]
        assert feet.any(axis=2).all()
        for own in range(4):
            assert len({foot.tobytes() for foot in feet[:, own]}) == 40


@pytest.mark.parametrize("name", ["banakil", "gin", "yaniv"])
def test_with_playouts_two_threads_play_as_one(name: str) -> None:
    game = find(name)
    state, seat = position_of(game)
    seen = Plain(game).observe(state, seat)
    alone, both = make_player("search:80", game), make_player("search:80@2", game)
    explained = [alone.explain(seen["observation"], seen["action_mask"], dice) for dice in range(4)]
    assert explained == [both.explain(seen["observation"], seen["action_mask"], dice) for dice in range(4)]
    assert both.tried == alone.tried > 0


@pytest.mark.parametrize("budget", ["500@0", "1s@", "@2", "\N{ARABIC-INDIC DIGIT THREE}"])
def test_a_budget_that_is_none_is_refused(budget: str) -> None:
    with pytest.raises(ValueError, match="playouts or time for a move"):
        SearchPlayer(budget, "gin")


@pytest.mark.parametrize("name", GAMES)
def test_rounds_are_played_out_by_the_strongest_compiled_player(name: str) -> None:
    player = list(find(name).players)[-1]
    assert player == "expert"
    own_side = f"rounds played out by `{player}`"
    assert SearchPlayer("40", name, models=["expert"]).basis.endswith(own_side)
    assert own_side in SearchPlayer("40", name).basis


@pytest.mark.parametrize("name", ["gin", "canasta", "kalooki"])
def test_the_others_are_taken_for_each_model_in_turn_and_a_partner_for_the_own_player(name: str) -> None:
    """Margins of a search are those of playouts with these players at these seats."""
    game, rng = find(name), np.random.default_rng(0)
    state, seat = position_of(game)
    seen = Plain(game).observe(state, seat)
    candidates = np.flatnonzero(seen["action_mask"])[:2]
    for models in (["greedy", "expert"], ["greedy"]):
        search = SearchPlayer("1", game, models=models)
        search.suppose(seen["observation"].view(game.observation), rng)
        margins = np.concatenate([search.margins(candidates, rng, deals) for deals in (3, 2)])
        kinds = np.full((2, game.max_seats), game.kinds["expert"])  # of the last two deals, the fourth and the fifth
        others = range(1, int(state["num_players"]), 2 if name == "canasta" else 1)
        for deal in range(2):
            kinds[deal, others] = game.kinds[models[(3 + deal) % len(models)]]
        for column, move in enumerate(candidates):
            out = np.zeros((2, game.max_seats), np.float32)
            outcomes(game, search.supposed, np.arange(2), kinds, "margin", out, moves=np.full(2, move))
            np.testing.assert_allclose(margins[3:, column], out[:, 0])


def test_it_says_what_its_figures_rest_on() -> None:
    game = find("gin")
    state, seat = position_of(game)
    seen = Plain(game).observe(state, seat)
    for beliefs, said in ((True, "inferred from play, as `greedy` or"), (False, "every deal that agrees with")):
        found = SearchPlayer("40", game, beliefs=beliefs).explain(seen["observation"], seen["action_mask"], 0)
        assert found.margins
        assert found.basis.startswith(f"hidden hands: {said}")


class Scripted(SearchPlayer):
    """A search whose second candidate gains a point in each deal, and loses 300 in one deal of every 40."""

    deals = 0

    def margins(self, candidates: npt.NDArray[np.int64], rng: np.random.Generator, deals: int) -> Any:
        """Margins that vary as those of gin do, the same for all other candidates."""
        if not self.deals:
            self.second = candidates[1]
        found = np.repeat(rng.normal(0, 20, (deals, 1)), len(candidates), axis=1)
        rare = (self.deals + np.arange(deals)) % 40 == 25
        found[:, candidates == self.second] += np.where(rare, -300.0, 1.0)[:, None]
        self.deals += deals
        self.tried += found.size
        return found


def test_a_rare_loss_is_seen_before_the_player_of_the_playouts_is_departed_from() -> None:
    """In the first 25 deals the second candidate is better by the same point, so that their standard error is 0."""
    game = find("gin")
    state, seat = position_of(game)
    seen = Plain(game).observe(state, seat)
    for dice in range(10):
        player, own = Scripted("2000", game), make_player("expert", game)
        explained = player.explain(seen["observation"], seen["action_mask"], dice)
        assert explained.action == choose(own, seen, dice)
        assert player.deals > 25
        assert explained.margins[explained.action].deals == player.deals
