"""The harness: an agent replies by one chat request per turn, made in this process.

The harnesses of the library start a program for every turn, in a sandbox. A seat at a card table runs no code, and a
game has dozens of turns. As the library requires, every request goes through its interception server.
"""

from __future__ import annotations

import functools
import ssl

import openai
import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire


class TalkHarnessConfig(vf.HarnessConfig):
    """The settings of a seat's harness, set by `--env.seat0.harness.remember 8` and so on."""

    id: vf.ID = "banakil-verifiers"
    remember: int | None = Field(None, ge=2)
    """Messages of the past that are sent again with every turn; None: the whole game, as training wants it."""
    connection: int = Field(4, ge=0)
    """How often a server that gave no reply is called again."""


class TalkHarness(vf.Harness[TalkHarnessConfig]):
    """A conversation without tools."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Send the conversation. The interception server records the reply."""
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else list(prompt or ())
        if self.config.remember is not None:
            said = said[-self.config.remember - 1 :]  # earlier messages and the new one
        messages = [{"role": "system", "content": system}] if system else []
        messages += [message_to_wire(message) for message in said]
        http = openai.DefaultAsyncHttpxClient(verify=_certificates())
        async with openai.AsyncOpenAI(
            base_url=endpoint, api_key=secret, timeout=None, max_retries=self.config.connection, http_client=http
        ) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The system's certificates, cached, since reading them takes longer than a request to a server on this machine."""
    return ssl.create_default_context()
