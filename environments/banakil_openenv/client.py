"""The client: a program plays on a server in a separate session, over a WebSocket."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from banakil_openenv.models import TableAction, TableObservation, TableState


class TableClient(EnvClient[TableAction, TableObservation, TableState]):
    """A table on a server; `reset` takes the seed and the fields of `Table`.

    >>> with TableClient(base_url="http://localhost:8000").sync() as env:
    ...     result = env.reset(seed=7, game="gin")
    ...     result = env.step(TableAction(reply="MOVE: pass"))

    A game that the server has not played before is compiled by the first `reset`: give the first client
    `message_timeout_s=300`, or start the server with `--prepare`.
    """

    def _step_payload(self, action: TableAction) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[TableObservation]:
        done, reward = bool(payload.get("done", False)), payload.get("reward")
        told = TableObservation.model_validate({**payload.get("observation", {}), "done": done, "reward": reward})
        return StepResult(observation=told, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> TableState:
        return TableState.model_validate(payload)
