"""Recorded games as data sets: every decision of a match, with the observation and the outcome.

See docs/plugins/data.md.

>>> from banakil_env.arena import CompiledPlayer
>>> from banakil_env.record import Recording, decisions
>>> recording = Recording(("expert", "greedy"), deals=100)
>>> batch = next(decisions([CompiledPlayer(name) for name in recording.players], recording))
>>> batch.observations.shape[1], batch.masks.shape[1]
(1000, 100)

`parquet` writes and reads decisions as Parquet, `episodes` writes them as a Minari dataset.
"""

from banakil_env.record.play import Decisions, Recording, RecordingError, decisions

__all__ = ["Decisions", "Recording", "RecordingError", "decisions"]
