"""Is every table drawn, for every viewer, with nothing hidden in the drawing, and do environments give pictures?"""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import sys
import types
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from PIL import Image

import banakil_env  # noqa: F401
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.envs.pictures import FRAME
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.games import GAMES, find, pettingzoo_id
from banakil_env.kit.plain import Plain
from banakil_env.render import as_svg, show
from banakil_env.render.blocks import NEXT_CARDS
from banakil_env.render.drawing import Drawing
from banakil_env.render.font.make import CHARACTERS
from banakil_env.render.lettering import BOLD, REGULAR, glyphs, lines_of, shortened, width_of
from banakil_env.render.png import png
from banakil_env.render.suits import with_symbols
from banakil_env.render.svg import draw, places
from banakil_env.render.themes import FOUR_COLORS, THEMES, TWO_COLORS

rummy = Plain(find("rummy"))
SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("name", GAMES)


@cache
def some_states(name: str) -> list[Any]:
    """The start, the middle and the end of a round of random play, for the fewest and for the most seats."""
    plain, found = Plain(find(name)), []
    for seats in {find(name).seats[0], find(name).seats[-1]}:
        rng, states = np.random.default_rng(seats), [plain.new(seats, seed=seats)]
        while not plain.is_over(states[-1]) and len(states) < 400:
            states.append(states[-1].copy())
            plain.apply(states[-1], int(rng.choice(plain.legal_actions(states[-1]))))
        found += [states[0], states[len(states) // 2], states[-1]]
    return found


def cards_drawn(svg: str) -> Counter[str]:
    """How often each card is put on the table; "back" for those face down."""
    return Counter(name.removeprefix("card-") for name in re.findall(r'href="#(card-\w+|back)"', svg))


def cards_seen(scene: Scene) -> Counter[str]:
    """The cards of a scene that lie face up, of an open stock the next few."""
    faces: list[str | None] = [card for meld in scene.melds for card in meld.cards]
    for seat in scene.seats:
        faces += [card for group in seat.hand for card in group] if seat.hand is not None else seat.known[: seat.size]
    for area in scene.areas:
        faces += area.cards[::-1][:NEXT_CARDS] if area.name == "stock" else area.cards
    return Counter(card for card in faces if card is not None)


# Drawings -------------------------------------------------------------------------------------------------------------


@every_game
def test_a_drawing_has_every_card_that_its_viewer_sees_and_no_other(name: str) -> None:
    for state in some_states(name):
        for seat in (None, *range(len(find(name).outcome(state).points))):
            scene = find(name).scene(state, seat)
            svg = draw(scene)
            drawn = cards_drawn(svg)
            del drawn["back"]
            assert drawn == cards_seen(scene)
            assert set(re.findall(r'id="card-(\w+)"', svg)) == set(drawn)
            assert ET.fromstring(svg).tag == f"{SVG}svg"


@every_game
def test_hidden_cards_dealt_anew_leave_the_drawing_the_same(name: str) -> None:
    plain = Plain(find(name))
    for state, seat in itertools.product(some_states(name), range(2)):
        if not plain.is_over(state):
            assert as_svg(find(name), plain.redeal_hidden(state, seat, 5), seat) == as_svg(find(name), state, seat)


def scene(players: int, cards: int, viewer: int | None = 0) -> Scene:
    """A table as full as they get."""
    hand = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA")[:cards]
    seats = tuple(
        SeatView(s, s % 2, (hand,) if viewer in (None, s) else None, cards, hand[:s], 10 * s, ("dealer",))
        for s in range(players)
    )
    melds = tuple(
        Meld(s, s, ("4c", "JK", "6c"), (None, "5c", None), "closed") for s in range(players) for _ in range(4)
    )
    areas = (
        Area("pile", hand, len(hand), "frozen"),
        Area("stock", (None,) * 9, 9),
        Area("red threes 1", ("3h",), 1, "", 1),
    )
    return Scene("Any", "rules", seats, areas, melds, viewer, 1, "answer", ("turn 1",), "", (3,) * players)


@pytest.mark.parametrize("players", range(2, 9))
def test_nothing_stands_outside_the_picture(players: int) -> None:
    for viewer in (None, 0, players - 1):
        root = ET.fromstring(draw(scene(players, 40, viewer)))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for element in root:
            if element.tag == f"{SVG}use":
                move = re.findall(r"[\d.]+", element.attrib.get("transform", "")) or [
                    element.attrib["x"],
                    element.attrib["y"],
                ]
                assert 0 <= float(move[0]) <= width - 30
                assert 0 <= float(move[1]) <= height - 40


class Sheet(Drawing):
    """A drawing that remembers its panels and its lines of letters, as (left, top, right, bottom)."""

    def __init__(self) -> None:
        super().__init__()
        self.panels: list[tuple[float, float, float, float]] = []
        self.lines: list[tuple[str, tuple[float, float, float, float]]] = []

    def box(self, x: float, y: float, width: float, height: float, *colors: Any, **more: Any) -> None:
        super().box(x, y, width, height, *colors, **more)
        if height > 60 and width > 200:
            self.panels.append((x, y, x + width, y + height))

    def write(self, text: str, x: float, y: float, size: float, *more: Any, **anchor: Any) -> float:
        width = super().write(text, x, y, size, *more, **anchor)
        left = x - {"start": 0.0, "end": width}[anchor.get("anchor", "end" if "end" in more else "start")]
        self.lines.append((text, (left, y - 0.7 * size, left + width, y)))
        return width


LONG_NOTE = "3s of seat 3, 4s of seat 0, 5s of seat 1, 8s of seat 5, 9s of seat 3"


@pytest.mark.parametrize("players", range(2, 9))
def test_words_are_whole_and_stay_in_their_panels(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[Sheet] = []
    monkeypatch.setattr("banakil_env.render.svg.Drawing", lambda: sheets.append(Sheet()) or sheets[-1])
    full = scene(players, 13)
    notes = ("dealer", "calls 2", "may not discard Tc")
    full = replace(
        full,
        seats=tuple(replace(seat, score=-1000, notes=notes) for seat in full.seats),
        melds=tuple(replace(meld, note=LONG_NOTE) for meld in full.melds),
        areas=(*full.areas, Area("laid", ("Kd",), 1, " ".join(["last discard", *["Kd Kh Ks"] * 6]))),
        facts=("contract 6: one set of three and two runs of four", "round 6 of the match of all contracts") * 2,
    )
    svg = draw(full, names=["net:agents/zoo/banakil-2p"] * players)
    width, height = map(float, re.findall(r'width="([\d.]+)" height="([\d.]+)"', svg)[0])
    lines = sheets[0].lines
    said = " ".join(text for text, _ in lines)
    assert said.count("13 cards") == players
    assert said.count("9♠ of seat 3") == 4 * players
    assert "of the match of all contracts" in said.rpartition("of the match of all contracts")[0]
    panels = [(0.0, 0.0, width, height), *sheets[0].panels]
    for text, (left, top, right, bottom) in lines:
        around = [panel for panel in panels if panel[0] <= left < panel[2] and panel[1] <= top < panel[3]]
        assert all(right <= panel[2] and bottom <= panel[3] for panel in around), text
    for (one, a), (other, b) in itertools.combinations(lines, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], f"{one!r} on {other!r}"


def test_partners_sit_opposite_and_play_goes_round_to_the_left() -> None:
    assert places(2, 0) == ([], [1], [])
    assert places(4, 2) == ([3], [0], [1])
    assert places(8, 0) == ([2, 1], [3, 4, 5], [6, 7])
    for count in range(2, 9):
        left, above, right = places(count, 1)
        assert [1, *left[::-1], *above, *right] == [(1 + step) % count for step in range(count)]


def test_a_wild_says_what_it_stands_for() -> None:
    state = find("banakil").texts.from_text("rules: jawaker\nplayers: 2\nmelds 0: 4c 2h 6c | 9d JK Jd\nseed: 3\n")[0]
    melds = find("banakil").scene(state, 0).melds
    assert [meld.stands_for for meld in melds] == [(None, "5c", None), (None, "Td", None)]
    assert THEMES["light"].wild in as_svg(find("banakil"), state)


def test_the_drawing_says_in_words_what_it_shows() -> None:
    root = ET.fromstring(as_svg(rummy.game, rummy.new(seed=1), 0))
    assert root.findtext(f"{SVG}title") == "A table of Rummy"
    assert "seat 1, dealer, 10 cards" in str(root.findtext(f"{SVG}desc"))


def test_names_themes_colours_and_sizes() -> None:
    state = rummy.new(seed=1)
    names = draw(rummy.game.scene(state, 0), names=["Ann <b>", "greedy"])
    assert len(names) > len(draw(rummy.game.scene(state, 0)))
    assert THEMES["dark"].table in show(state, theme="dark").svg
    assert FOUR_COLORS["c"] in show(state, four_colors=True).svg
    assert 'width="400" height="300"' in show(state, size=(400, 300)).svg
    with pytest.raises(ValueError, match="one name a seat, 2 of them, not 1"):
        show(state, names=["Ann"])
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', not 'sepia'"):
        show(state, theme="sepia")
    with pytest.raises(ValueError, match="there is no seat 2"):
        show(state, 2)


def test_cards_in_sentences() -> None:
    assert with_symbols("discard Th; it took Jc, and JK") == "discard 10♥; it took J♣, and JK"


def test_lines_of_letters_fit() -> None:
    text = "answer: may the partner go out, or must the round be played on"
    assert all(width_of(line, 14) <= 120 for line in lines_of(text, 14, 120))
    assert " ".join(lines_of(text, 14, 120)) == text
    assert width_of(shortened(text, 14, 120), 14) <= 120
    assert set(glyphs(REGULAR)) == set(glyphs(BOLD)) == {*CHARACTERS, *"♣♦♥♠"}


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_letters_stand_out_from_their_ground(theme: Any) -> None:
    pairs = [(letters, ground) for letters in (theme.text, theme.faint) for ground in (theme.table, theme.panel)]
    pairs += [(theme.mover_text, theme.mover), (theme.wild_text, theme.wild)]
    pairs += [(color, theme.card) for colors in (TWO_COLORS, FOUR_COLORS) for color in colors.values()]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []
    assert min(contrast(side, theme.panel) for side in theme.sides) >= 3


# Pixels ---------------------------------------------------------------------------------------------------------------


def test_png(tmp_path: Path) -> None:
    picture = show(rummy.new(seed=1))
    picture.save(tmp_path / "table.png", zoom=1)
    picture.save(tmp_path / "table.svg")
    assert (tmp_path / "table.svg").read_text(encoding="utf-8") == picture.svg
    width, height = Image.open(tmp_path / "table.png").size
    assert f'width="{width}"' in picture.svg
    assert height > 300
    assert png(picture.svg) == png(picture.svg) == picture.png()
    with pytest.raises(ValueError, match=r"saved as \.svg or \.png, not as 'table\.gif'"):
        picture.save(tmp_path / "table.gif")


def test_without_the_extra_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = SingleEnv(render_mode="rgb_array")  # as Stable-Baselines3 makes them
    env.reset(seed=1)
    with pytest.raises(ImportError, match=r"pip install -e '\.\[render\]'"):
        env.render()


# Environments ---------------------------------------------------------------------------------------------------------


@every_game
def test_frames_have_one_size(name: str) -> None:
    env = pettingzoo.make("aec", pettingzoo_id(name), render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env.render().shape == first.shape == (FRAME[1], FRAME[0], 3)
    assert (env.render() != first).any()


def test_gymnasiums_environments_give_frames() -> None:
    single = gymnasium.make("rummy/Rummy-v0", render_mode="rgb_array")
    single.reset(seed=1)
    assert single.render().shape == (FRAME[1], FRAME[0], 3)
    many = gymnasium.make_vec("rummy/Rummy-v0", 2, render_mode="svg")
    many.reset(seed=1)
    assert [text[:4] for text in many.render() or ()] == ["<svg", "<svg"]


def test_environments_show_themselves() -> None:
    aec = pettingzoo.make("aec", "rummy/rummy-v0")
    assert aec.unwrapped._repr_svg_() == ""  # nothing has been dealt
    aec.reset(seed=1)
    many = BatchEnv(3, game="rummy")
    many.reset(seed=1)
    single = gymnasium.make("rummy/Rummy-v0")
    single.reset(seed=1)
    drawn = show(aec).svg
    assert drawn == aec.unwrapped._repr_svg_() == show(aec.unwrapped.position).svg
    assert show(single).svg == single.unwrapped._repr_svg_() == show(single.unwrapped.tables.states).svg
    assert show(many).svg == show(many.tables.states[0]).svg != show(many, table=1).svg
    assert show(rummy.to_text(aec.unwrapped.position), game="rummy").svg == drawn
    assert "seat 0" in repr(show(aec))
    with pytest.raises(ValueError, match="no table 3"):
        show(many, table=3)
    with pytest.raises(TypeError, match="show\\(\\) draws environments of this package, states and positions, not int"):
        show(7)  # type: ignore[arg-type]


class Screen:
    """Stands for Tk: remembers what was shown."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.destroyed = False
        self.TclError = RuntimeError

    def module(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(
            Tk=lambda: self, Label=lambda *_, **__: self, PhotoImage=lambda **options: options, TclError=self.TclError
        )

    def configure(self, image: Any) -> None:
        self.shown.append(image["data"])

    def destroy(self) -> None:
        self.destroyed = True

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


@pytest.mark.parametrize("kind", ["aec", "single", "vector"])
def test_a_window_is_redrawn_after_every_step(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setitem(sys.modules, "tkinter", screen.module())
    env: Any = {
        "aec": lambda: pettingzoo.make("aec", "rummy/rummy-v0", render_mode="human"),
        "single": lambda: SingleEnv(game="rummy", render_mode="human"),
        "vector": lambda: BatchEnv(1, game="rummy", render_mode="human"),
    }[kind]()
    env.reset(seed=1)
    action = rummy.parse_action("draw")
    env.step(np.array([action]) if kind == "vector" else action)
    assert env.render() is None
    assert len(screen.shown) == 3
    assert screen.shown[0] != screen.shown[1] == screen.shown[2]
    assert copy.deepcopy(env).render() is None  # a window of its own
    assert pickle.loads(pickle.dumps(env)).render_mode == "human"
    env.close()
    assert screen.destroyed


def test_where_no_window_can_be_opened_an_error_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    with pytest.raises(RuntimeError, match=r'"human" needs a window, and none can be opened.*has no Tk'):
        SingleEnv(render_mode="human").reset(seed=1)
