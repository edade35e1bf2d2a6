"""The exceptions of the plain interface of a game, which the package of the game offers under its own name."""

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import BadState, IllegalAction, PositionError
from banakil_env.kit.records import RecordError
from banakil_env.kit.switches import RulesError

__all__ = ["BadState", "IllegalAction", "PositionError", "RecordError", "RulesError", "UnknownAction"]
