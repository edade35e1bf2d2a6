"""The exceptions that the plain functions of a game raise. Each game's package exports them under the same names."""

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import BadState, IllegalAction, PositionError
from banakil_env.kit.records import RecordError
from banakil_env.kit.switches import RulesError

__all__ = ["BadState", "IllegalAction", "PositionError", "RecordError", "RulesError", "UnknownAction"]
