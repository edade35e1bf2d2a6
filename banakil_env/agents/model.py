"""The trained network: layers over the features that policy and value share, with one head for each.

The logit of an action that refers to a depth of the pile includes a score of the face there, so what is learned about a
card holds at every depth. A network can have an adviser: a rule-based player that sees the same observation and chooses
first. The network learns when to follow it (Silver and others, "Residual Policy Learning", 2018). This module does not
need Stable-Baselines3.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from banakil_env.agents.card_logits import CardMoves, DenseCardLogits, card_logits, card_moves
from banakil_env.agents.encoding import depths_of_actions, encode, list_moves
from banakil_env.agents.sparse import Sparse, by_feature, chosen_logits, first_layer
from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.agents.suit_layout import face_table
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.games import find, to_pickle

# Bounds of a network's shape. The largest possible network has about 40 million weights.
MAX_LAYERS, MAX_WIDTH, MAX_CHANNELS = 8, 2048, 256

FIRST_TRUST = 2.0  # initial amount that is added to the logit of the advised action


@dataclass(frozen=True)
class Shape:
    """The shape of a network.

    The fields from `sets` on are newer than some agents. They are left out of the text of a shape (its `repr`) while
    they are false, so that the digests of older agents do not change (`NetworkPlayer.identity`).

    Attributes:
        hidden: the widths of the shared layers: 1 to MAX_LAYERS layers, each from 1 to MAX_WIDTH wide.
        advice: the rule-based player whose move the network sees; None: no adviser.
        channels: the number of channels of a convolution over the ranks of every suit (`suit_network.py`), from 1 to
            MAX_CHANNELS; None: plain layers.
        sets: only with channels, and in games with suits: every place also sees the cards of its rank in the other
            suits, which sets and pairs need. Agents from before 26 November 2026 do not have it.
        rests: the network also sees the columns about each discard (`Features.with_rests`). Agents from before 27
            November 2026 do not have it.
        offers: only with rests: the network also sees the columns about an offered card (`Features.with_offers`).
            Agents from before 29 November 2026 do not have it.
        cards: only without channels: the logit of a move with one card is also computed from the columns about this
            card, with weights that all cards share (`card_logits.py`).
        takes: only with cards: the same for moves that take a card from the pile. Agents from before 29 November 2026
            do not have it.

    Raises:
        ValueError: a value has the wrong type or is out of bounds.
    """

    hidden: tuple[int, ...] = (256, 256)
    advice: str | None = None
    channels: int | None = None
    sets: bool = field(default=False, repr=False)
    rests: bool = field(default=False, repr=False)
    offers: bool = field(default=False, repr=False)
    cards: bool = field(default=False, repr=False)
    takes: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        some = isinstance(self.hidden, tuple) and 1 <= len(self.hidden) <= MAX_LAYERS
        if not some or not all(_is_count(width, MAX_WIDTH) for width in self.hidden):
            raise ValueError(
                f"hidden must be 1 to {MAX_LAYERS} widths, each from 1 to {MAX_WIDTH}, not {self.hidden!r:.80}"
            )
        if self.channels is not None and not _is_count(self.channels, MAX_CHANNELS):
            raise ValueError(f"channels is None or from 1 to {MAX_CHANNELS}, not {self.channels!r:.80}")
        if not isinstance(self.sets, bool) or (self.sets and self.channels is None):
            raise ValueError(f"sets is true or false, and true only with channels, not {self.sets!r:.80}")
        if not isinstance(self.rests, bool):
            raise ValueError(f"rests is true or false, not {self.rests!r:.80}")
        if not isinstance(self.offers, bool):
            raise ValueError(f"offers is true or false, not {self.offers!r:.80}")
        if not isinstance(self.cards, bool) or (self.cards and self.channels is not None):
            raise ValueError(f"cards is true or false, and true only without channels, not {self.cards!r:.80}")
        if not isinstance(self.takes, bool) or (self.takes and not self.cards):
            raise ValueError(f"takes is true or false, and true only with cards, not {self.takes!r:.80}")
        if not (self.advice is None or isinstance(self.advice, str)):
            raise ValueError(f"advice is None or the name of a rule-based player, not {self.advice!r:.80}")

    @classmethod
    def seeing(cls, game: Game, rests: bool, cards: bool, **others: Any) -> Shape:
        """A shape in which `rests` also sets `offers` if the game has such columns, and `cards` also sets `takes`."""
        offers = rests and game.features.with_offers is not None
        return cls(rests=rests, offers=offers, cards=cards, takes=cards, **others)

    def check(self, game: Game) -> None:
        """Raise ValueError if a network of the game cannot have this shape."""
        if self.advice is not None and self.advice not in game.kinds:
            raise ValueError(f"advice is None or one of {', '.join(game.kinds)}, not {self.advice!r:.80}")
        if self.channels is not None and face_table(game).suits == 1 and self.sets:
            raise ValueError(f"sets must be false: in {game.title} all ranks are of one suit")
        if self.cards and not (game.features.faces and card_moves(game, game.features).num_blocks):
            raise ValueError(f"cards must be false: {game.title} has no moves with one card of a suit and a rank")
        if self.rests and game.features.with_rests is None:
            raise ValueError(f"rests must be false: {game.title} has no columns of what a discard leaves and gives")
        if self.offers and game.features.with_offers is None:
            raise ValueError(f"offers must be false: {game.title} has no columns of what an offered card leaves")
        if self.offers and not self.rests:
            raise ValueError("rests must be true with offers: the columns of offers stand behind those of discards")

    def features(self, game: Game) -> Features:
        """The columns of a game that a network of this shape sees."""
        seen = game.features
        wider = seen.with_offers if self.offers else seen.with_rests if self.rests else seen
        assert wider is not None, "`check` refuses such a shape"
        return wider


# The fields that the text of a shape shows only if they are true, because some agents are older than these fields.
UNSAID = tuple(one.name for one in fields(Shape) if not one.repr)


def _is_count(value: Any, most: int) -> bool:
    return type(value) is int and 1 <= value <= most


class Network(nn.Module):
    """Layers that policy and value share, and linear heads.

    `forward` takes features and depths and returns all logits and the values. `of_rows` does the same from
    observations. `legal_of_rows` is for players. Trainers write the features once and use `among`. The weights of the
    first layer are stored feature by feature (`banakil_env/agents/sparse.py`).

    Args:
        game: the game that it plays; it determines the columns and the actions.
        shape: the shape of the layers; None: the default.
        seed: seed of the initial weights; None: PyTorch's global generator is used.

    Raises:
        ValueError: a network of the game cannot have this shape.
    """

    _depths: Tensor

    def __init__(self, game: Game, shape: Shape | None = None, seed: int | None = None) -> None:
        super().__init__()
        self._of_game(game, shape or Shape())
        widths = (self.features.width, *self.shape.hidden)
        layers = [nn.Linear(before, after) for before, after in itertools.pairwise(widths)]
        self.layers = nn.ModuleList(layers)
        self.policy = nn.Linear(widths[-1], len(game.actions))
        self.takes = nn.Linear(widths[-1], game.features.no_face) if self.sees_depths else None
        self.value = nn.Linear(widths[-1], 1)
        self.cards = nn.Linear(widths[-1], self.card_moves.num_weights) if self.shape.cards else None
        self._card_logits = DenseCardLogits(self.card_moves) if self.shape.cards else None
        if self.shape.advice:
            self.advised = zero_embedding(len(game.actions), widths[1])
            self.trust = nn.Linear(widths[-1], 1)
            nn.init.zeros_(self.trust.weight)
            nn.init.constant_(self.trust.bias, FIRST_TRUST)
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        gains: list[tuple[nn.Linear, float]] = [(layer, 2**0.5) for layer in layers]
        gains += [(self.policy, 0.01), *([(self.takes, 0.01)] if self.takes else []), (self.value, 1.0)]
        for layer, gain in gains:
            nn.init.orthogonal_(layer.weight, gain, generator=generator)
            nn.init.zeros_(layer.bias)
        if self.cards is not None:  # initially without effect
            nn.init.zeros_(self.cards.weight)
            nn.init.zeros_(self.cards.bias)
        layers[0].weight = nn.Parameter(by_feature(layers[0].weight.detach()))

    def _of_game(self, game: Game, shape: Shape) -> None:
        """Set the attributes that every network of a game has."""
        shape.check(game)
        self.game, self.shape = game, shape
        depths = depths_of_actions(game)
        self.sees_depths = bool((depths < game.features.max_depth).any())
        self.register_buffer("_depths", torch.from_numpy(depths.copy()), persistent=False)

    @property
    def features(self) -> Features:
        """The columns that the network sees."""
        return self.shape.features(self.game)

    @property
    def card_moves(self) -> CardMoves:
        """The columns about single cards, and the actions with one card."""
        return card_moves(self.game, self.features, self.shape.takes)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"game": to_pickle(self.game)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state | {"game": find(state["game"])})

    def forward(self, x: Tensor, depths: Tensor | None = None, advice: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The logits of all actions, legal or not, and the expected return, computed in PyTorch operations only.

        Args:
            x: float32 (n, features.width), the features.
            depths: integers (n, features.max_depth), the face at each depth of the pile, which `agents.encoding.encode`
                returns with the features. Required if `sees_depths`, that is, if some action of the game takes a card
                from the pile by its depth, as `take` in gin takes the card at depth 0.
            advice: int64 (n,), as the method `advice` returns it; None if the network has no adviser, or to ignore the
                adviser.

        Returns:
            The logits, float32 (n, actions), and the values, float32 (n,).

        Raises:
            ValueError: the network requires depths, but none were given.
        """
        return self._all(x, depths, advice)

    def of_rows(self, observations: Any, advice: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Like `forward`, for observations, uint8 (n, bytes): their features are computed here."""
        x, depths = encode(self.game, observations, features=self.features)
        device = self.policy.weight.device
        advice = None if advice is None else advice.to(device)
        return self._all(torch.from_numpy(x).to(device), torch.from_numpy(depths).to(device), advice)

    def legal_of_rows(
        self, observations: Any, masks: Any, advice: Tensor | None = None
    ) -> tuple[npt.NDArray[np.int16], Tensor, Tensor]:
        """Like `of_rows`, but for legal actions only, which is several times as fast.

        Args:
            observations: uint8 (n, bytes), as players get them.
            masks: int8 (n, actions), as players get them.
            advice: as the method `advice` returns it.

        Returns:
            The legal actions, int16 (n, width), -1 after the last one of a row; their logits, float32 (n, width),
                FORBIDDEN after the last one; and the expected returns, float32 (n,).
        """
        x, depths = encode(self.game, observations, features=self.features)
        seen = Sparse.of(x)
        moves = np.empty((len(x), int(np.count_nonzero(masks, axis=1).max(initial=1))), np.int16)
        faces = np.empty(moves.shape, np.uint8)
        list_moves(self.game, np.ascontiguousarray(masks), depths, moves, faces)
        device = self.policy.weight.device
        listed, their_faces = (torch.from_numpy(part).to(device) for part in (moves, faces))
        advice = None if advice is None else advice.to(device)
        logits, values = self.among(seen.on(device, x.shape[1]), listed, their_faces, advice)
        return moves, logits, values

    def advice(self, observations: Any, masks: Any) -> Tensor | None:
        """The actions of the network's adviser, int64 (n,); None if it has no adviser.

        Args:
            observations: uint8 (n, bytes), as players get them.
            masks: int8 (n, actions), as players get them.
        """
        if self.shape.advice is None:
            return None
        dice = np.zeros(len(observations), np.uint64)
        return torch.from_numpy(CompiledPlayer(self.shape.advice, self.game).act(observations, masks, dice))

    def _all(self, x: Tensor, depths: Tensor | None, advice: Tensor | None) -> tuple[Tensor, Tensor]:
        """Compute the result of `forward`."""
        seen, x = x, self._trunk(x, advice)
        logits = self.policy(x)
        if self.takes is not None:
            logits = logits + self._at_depths(nn.functional.pad(self.takes(x), (0, 1)), depths)
        if self.cards is not None and self._card_logits is not None:
            moves = torch.arange(logits.shape[1], device=x.device).expand(logits.shape)
            logits = logits + self._card_logits(seen, moves, self._taken_faces(depths, moves), self.cards(x))
        if advice is not None:
            logits = logits.scatter_add(1, advice[:, None], self.trust(x))
        return logits, self.value(x).squeeze(1)

    def _at_depths(self, faces: Tensor, depths: Tensor | None) -> Tensor:
        """Map scores of faces, (n, faces + 1), to the actions that refer to a depth of the pile, (n, actions)."""
        if depths is None:
            raise ValueError(
                f"a network of {self.game.title} needs depths, the face at each depth of the pile: "
                f"agents.encoding.encode() gives them with the features, and of_rows() takes observations"
            )
        return nn.functional.pad(faces.gather(1, depths.long()), (0, 1))[:, self._depths]

    def _taken_faces(self, depths: Tensor | None, moves: Tensor) -> Tensor:
        """The face that each action takes from the pile, int64 (n, actions); `no_face` for actions that take none.

        `moves` is an array of the same shape.
        """
        if depths is None:  # in this game no action refers to a depth
            return torch.full_like(moves, self.features.no_face)
        return nn.functional.pad(depths.long(), (0, 1), value=self.features.no_face)[:, self._depths]

    def among(
        self, x: Tensor | Sparse, moves: Tensor, faces: Tensor, advice: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The logits of legal actions only, and the values; for training. This computes about a tenth of all logits.

        Args:
            x: the features, (n, features.width); on a CPU `Sparse` is faster.
            moves: int16 (n, width), the legal actions; -1 after the last one.
            faces: uint8 (n, width), the faces that `list_moves` returns.
            advice: int64 (n,), the advised actions; None: no advice.

        Returns:
            The logits, float32 (n, width), FORBIDDEN after the last one; and the values, float32 (n,).
        """
        seen, x = x, self._trunk(x, advice)
        logits = read_among(x, moves, faces, self.policy, self.takes)
        if self.cards is not None and self._card_logits is not None:
            weights = self.cards(x)
            if isinstance(seen, Sparse):
                logits = logits + card_logits(seen, moves, faces, weights.float(), self.card_moves)
            else:
                logits = logits + self._card_logits(seen, moves.long(), faces.long(), weights).float()
        if advice is not None:
            logits = logits + (moves == advice[:, None]) * self.trust(x).float()
        return logits, self.value(x).squeeze(1).float()

    def _trunk(self, seen: Tensor | Sparse, advice: Tensor | None) -> Tensor:
        first: Any
        first, *others = self.layers
        x: Tensor = first_layer(seen, first.weight, first.bias) if isinstance(seen, Sparse) else first(seen)
        if advice is not None:
            x = x + self.advised(advice)
        for layer in others:
            x = layer(torch.relu(x))
        return torch.relu(x)


def read_among(x: Tensor, moves: Tensor, faces: Tensor, policy: nn.Linear, takes: nn.Linear | None) -> Tensor:
    """The outputs of linear layers for legal actions only, float32 (n, width): like `chosen_logits`, on any device."""
    if x.device.type == "cpu":
        return chosen_logits(x.float(), moves, faces, policy, takes)
    read = policy(x).gather(1, moves.long().clamp(min=0)).float()
    if takes is not None:
        read = read + nn.functional.pad(takes(x), (0, 1)).gather(1, faces.long()).float()
    return read.masked_fill(moves < 0, FORBIDDEN)


def zero_embedding(rows: int, width: int) -> nn.Embedding:
    """An embedding of zeros. No random numbers are drawn first, which on the device "meta" takes seconds of imports."""
    return nn.Embedding.from_pretrained(torch.zeros(rows, width), freeze=False)


def legal_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """The logits, with illegal actions set to FORBIDDEN. `masks` is bool (n, actions)."""
    return logits.masked_fill(~masks, FORBIDDEN)
