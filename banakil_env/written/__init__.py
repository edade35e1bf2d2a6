"""Rules written by other people or by a model: a program made from a page of rules, compared with the game engine.

The comparison uses traces of games. See docs/write-the-rules.md. `score(program, traces)` does all of it; `banakil
write-rules` is the command.
"""

from banakil_env.written.compare import Disagreement, Score, score
from banakil_env.written.contract import CONTRACT, FUNCTIONS
from banakil_env.written.isolation import CannotIsolate
from banakil_env.written.program import Program, ProgramFailed
from banakil_env.written.prompt import prompt
from banakil_env.written.traces import Trace, draw, main_table, recorded, sealed_seeds, table_of

__all__ = [
    "CONTRACT",
    "FUNCTIONS",
    "CannotIsolate",
    "Disagreement",
    "Program",
    "ProgramFailed",
    "Score",
    "Trace",
    "draw",
    "main_table",
    "prompt",
    "recorded",
    "score",
    "sealed_seeds",
    "table_of",
]
