"""What is told to somebody who chooses a game? Pictures, sentences, players, and the rules that a table plays by."""

from __future__ import annotations

import re

import pytest
from served import Answered, Served

from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.play.names import called, described
from banakil_env.text.rules import about, rules_text
from banakil_env.web.sitters import Sitters

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_every_game_and_every_preset_is_told_in_a_sentence(name: str) -> None:
    said, game = about(name), find(name)
    assert said.sentence.endswith(".")
    assert len(said.sentence) < 130
    assert list(said.presets) == list(game.rules.presets)
    assert all(sentence.endswith(".") for sentence in said.presets.values())
    assert said.turns >= 1


@every_game
def test_the_picture_of_a_game_is_of_cards(name: str) -> None:
    melds = [meld.split() for meld in about(name).cards]
    assert sum(map(len, melds)) >= 4
    assert all(re.fullmatch(r"[2-9TJQKA][cdhs]|JK", card) for meld in melds for card in meld)


@every_game
def test_players_are_offered_without_paths(name: str) -> None:
    game, sitters = find(name), Sitters()
    for count in game.seats:
        offers = sitters.offers(game, count)
        assert [offer["name"] for offer in offers] == sitters.names(game, count)
        assert not any(re.search(r"[/:\\]", offer["label"]) for offer in offers)


def test_a_trained_agent_says_which_table_it_was_trained_for(monkeypatch: pytest.MonkeyPatch) -> None:
    of = {table.name: table for table in find("banakil").tables}
    names = ["banakil-4p-2", "banakil-4p-individuals", "jawaker-4p"]
    agents = {f"net:agents/zoo/{name}": of[name.removesuffix("-2")] for name in names}
    for module in ("play.allowed", "web.sitters"):
        monkeypatch.setattr(f"banakil_env.{module}.agents", lambda game, seats: agents)
    offers = {offer["name"]: offer["table"] for offer in Sitters().offers(find("banakil"), 4)}
    assert offers["net:agents/zoo/banakil-4p-2"] == {"rules": "pagat", "partners": True}
    assert offers["net:agents/zoo/banakil-4p-individuals"] == {"rules": "pagat", "partners": False}
    assert offers["net:agents/zoo/jawaker-4p"]["rules"].startswith("jawaker")
    assert offers["greedy"] is None


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("greedy", "Greedy, easy"),
        ("expert", "Expert, medium"),
        ("search:1s", "Search, one second per move, strongest"),
        ("search:100", "Search, 100 playouts per move, strong"),
        ("net:agents/zoo/rummy-2p", "Trained agent, strong"),
        ("zoo:rummy-family", "Network, easy to medium"),
        ("net:results/runs/mine", "mine"),
        ("module.of.mine:player", "player"),
    ],
)
def test_a_player_has_a_name_for_people(name: str, label: str) -> None:
    game: Game = find("rummy")
    assert described(name, game) == label
    assert called(name) == label.partition(",")[0]


def test_the_network_of_all_games_is_the_opponent_where_no_agent_was_trained(server: Served) -> None:
    """It plays at a table of rules and seats that it has not learned."""
    pytest.importorskip("torch")
    games = {game["name"]: game for game in server.get("/api/games")}
    assert {game["anywhere"] for game in games.values()} == {"zoo:rummy-family"}
    assert games["yaniv"]["defaults"]["5"] == "zoo:rummy-family"
    assert games["yaniv"]["defaults"]["2"].startswith("net:agents/zoo/yaniv-2p")
    [offer] = [each for each in games["yaniv"]["players"]["5"] if each["name"] == "zoo:rummy-family"]
    assert offer["table"] is None
    keys = server.table("yaniv", [None, *["zoo:rummy-family"] * 4], rules="asaf", practice=True)
    view = server.wait(keys[0])
    assert view["names"][1:] == ["Network"] * 4
    hint = server.post("/api/table/hint", {}, keys[0])
    assert hint["called"] == "Expert"


def test_the_rules_of_a_table_are_sent_before_it_is_set_up(server: Served) -> None:
    said = server.get("/api/rules?game=rummy&rules=free&seats=3")["text"]
    assert said == rules_text("rummy", "free", num_players=3)
    four = server.get("/api/rules?game=banakil&seats=4&partners=no&episode=match")["text"]
    assert four == rules_text("banakil", num_players=4, partners=False, episode="match")


def test_a_table_sends_the_rules_it_plays_by(server: Served) -> None:
    keys = server.table("rummy", [None, "random"], rules="block")
    assert server.get("/api/table/rules", keys[0])["text"] == rules_text("rummy", "block", num_players=2)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("game=chess", "no game 'chess'"),
        ("", "'game' is missing"),
        ("game=gin&seats=5", "5"),
        ("game=gin&seats=x", "seats"),
        ("game=gin&rules=nonsense", "nonsense"),
        ("game=gin&what=1", "what"),
        ("game=gin&partners=maybe", "partners"),
    ],
)
def test_rules_of_no_table_are_refused(query: str, said: str, server: Served) -> None:
    with pytest.raises(Answered, match=said):
        server.get(f"/api/rules?{query}")


# The end of a round, and the next game -------------------------------------------------------------------------------


def test_the_rounds_of_a_table_are_sent_line_by_line(server: Served) -> None:
    (key,) = server.table("canasta", ["greedy"] * 4, seed=3).values()
    view = server.wait(key)
    [ended] = view["rounds"]
    assert ended["points"] == view["points"]
    assert [sum(line["points"] for line in lines) for lines in ended["lines"]] == view["points"]


def test_a_rematch_moves_every_player_a_seat_on(server: Served) -> None:
    keys = server.table("rummy", [None, "greedy", None], seed=3, practice=True)
    with pytest.raises(Answered, match="the game goes on"):
        server.post("/api/table/rematch", {}, keys[0])
    server.post("/api/table/stop", {}, keys[0])
    made = server.post("/api/table/rematch", {}, keys[0])
    again = server.get("/api/table", made["key"])
    assert again["seat"] == 1
    assert again["names"] == ["Person 2", "Person 0", "Greedy"]
    assert again["practice"]


def test_the_others_find_the_rematch_and_there_is_one_of_them(server: Served) -> None:
    keys = server.table("rummy", [None, None], seed=3)
    server.post("/api/table/stop", {}, keys[0])
    assert server.get("/api/table", keys[1])["rematch"] is None
    first = server.post("/api/table/rematch", {}, keys[0])["key"]
    second = server.get("/api/table", keys[1])["rematch"]
    assert second not in (None, first)
    assert server.post("/api/table/rematch", {}, keys[1])["key"] == second
    server.kill()
    server.start()  # the way to it is kept
    assert server.get("/api/table", keys[0])["rematch"] == first
    assert server.get("/api/table", second)["seat"] == 0


def test_the_value_of_the_first_meld_is_sent_to_its_player_alone(server: Served) -> None:
    keys = server.table("canasta", [None] * 4, seed=3)
    assert server.get("/api/table", keys[0])["firstMeld"] == [50, 0]
    assert server.get("/api/table", keys[1])["firstMeld"] is None
