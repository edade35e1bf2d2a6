"""The environment: agents play a deal. Each seat has a separate conversation, and the referee carries out their moves.

An agent gets only the rules of the table and the view of its seat, written by `banakil_env.text`.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field

from banakil_env.agents.table_talk import TableTalk
from banakil_env.agents.talk_options import TalkOptions
from banakil_verifiers.harness import TalkHarnessConfig
from banakil_verifiers.taskset import DealData, DealTask

MOST_REPLIES = 100  # invalid replies to one decision that are answered with a reason


def _seat() -> vf.AgentConfig:
    """An agent with the harness of this package, without a sandbox, since it runs no code."""
    # Set after validation, which would import this package while it is being imported.
    return vf.AgentConfig(runtime=vf.SubprocessConfig()).model_copy(update={"harness": TalkHarnessConfig()})


class TableEnvConfig(vf.EnvConfig):
    """The settings of the agents; the taskset decides which of the seats are agents."""

    seat0: vf.AgentConfig = _seat()
    seat1: vf.AgentConfig = _seat()
    seat2: vf.AgentConfig = _seat()
    seat3: vf.AgentConfig = _seat()
    seat4: vf.AgentConfig = _seat()
    seat5: vf.AgentConfig = _seat()
    seat6: vf.AgentConfig = _seat()
    seat7: vf.AgentConfig = _seat()
    moves: Literal["all", "count", "none"] = "all"
    """How the legal moves are told."""
    unreadable: int = Field(2, ge=0, le=MOST_REPLIES)
    """How many unreadable replies of one decision are answered with the reason."""
    illegal: int = Field(2, ge=0, le=MOST_REPLIES)
    """How many illegal replies of one decision are answered with the reason."""
    giveup: Literal["forfeit", "first"] = "forfeit"
    """After the last of them: the seat forfeits the game, or the first legal move is made; both are counted."""
    reward: Literal["scaled", "margin", "points", "win"] = "scaled"
    """Margin in units of a forfeit, from -1 to 1; margin in points; own points; or 1, 0, -1."""


class TableEnv(vf.Env[TableEnvConfig]):
    """A card table whose seats are played by agents and by players of the package."""

    async def run(self, task: DealTask, agents: vf.Agents) -> None:
        """Play one deal; the trace of every agent gets its reward and metrics."""
        talk = await asyncio.to_thread(self._deal, task.data)
        traces: dict[int, vf.Trace] = {}
        async with AsyncExitStack() as stack:
            interactions: dict[int, vf.Interaction] = {}
            for seat in talk.speakers:
                told = vf.TaskData(idx=task.data.idx, prompt=None, system_prompt=talk.opening(seat))
                agent = getattr(agents, f"seat{seat}")
                interactions[seat] = await stack.enter_async_context(agent.interaction(vf.Task(told)))
                traces[seat] = interactions[seat].trace
            if await self._play(talk, interactions):
                for seat, trace in traces.items():
                    self._pay(talk, seat, trace)
            for seat, trace in traces.items():
                trace.info["banakil"] = self._facts(talk, task.data, seat)

    def _deal(self, data: DealData) -> TableTalk:
        options = TalkOptions(
            moves=self.config.moves,
            unreadable=self.config.unreadable,
            illegal=self.config.illegal,
            giveup=self.config.giveup,
        )
        talk = TableTalk.deal(
            data.game, data.seats, seed=data.seed, rules=data.rules, episode=data.episode, options=options
        )
        talk.session.prepare()
        return talk

    async def _play(self, talk: TableTalk, interactions: dict[int, vf.Interaction]) -> bool:
        """Play to the end; returns False if an agent could not be called, which is not a fault of its play.

        An agent that has used up its turns or tokens forfeits the game.
        """
        while True:
            await asyncio.to_thread(talk.let_others_move)
            seat = talk.seat
            if seat is None:
                return True
            segment = await interactions[seat].turn(talk.question())
            if not segment.terminated:
                talk.hear(segment.last_reply, cut_off=_was_cut_off(interactions[seat].trace))
            elif interactions[seat].trace.last_error is not None:
                return False
            else:
                talk.forfeit(f"no reply: {interactions[seat].trace.stop_condition}")

    def _pay(self, talk: TableTalk, seat: int, trace: vf.Trace) -> None:
        """Set the reward and the metrics of one seat."""
        trace.record_reward(self.config.reward, talk.worth(self.config.reward)[seat])
        counts = talk.counts[seat]
        trace.record_metrics(
            {
                "points": float(talk.points()[seat]),
                "margin": talk.worth("margin")[seat],
                "win": talk.worth("win")[seat],
                "forfeit": float(talk.forfeited == seat),
                "given_up": float(counts.given_up),
                "decisions": float(counts.decisions),
                "replies": float(counts.replies),
                "illegal": float(counts.illegal),
                "unreadable": float(counts.unreadable),
                "cut_off": float(counts.cut_off),
                "turns": float(talk.session.game.outcome(talk.session.state).turns),
            }
        )

    def _facts(self, talk: TableTalk, data: DealData, seat: int) -> dict[str, Any]:
        """Facts about the game for readers of the results. The record of the game shows all hands."""
        return {
            "game": data.game,
            "seat": seat,
            "seats": [name or "agent" for name in data.seats],
            "seed_set": data.seed_set,
            "deal": data.deal,
            "points": list(talk.points()),
            "result": talk.result(),
            "record": talk.session.record(),
        }


def _was_cut_off(trace: vf.Trace) -> bool:
    """Whether the last reply ended at the limit on its length."""
    calls = [call for call in trace.calls if call.error is None]
    return bool(calls) and calls[-1].finish_reason == "length"
