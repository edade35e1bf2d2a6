"""A stand-in for a chat server: the name of the model says how it replies.

`good` makes the first legal move that it is told of; the others misbehave in one way each, and are good after that.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKENS_READ, TOKENS_WRITTEN = 700, 11  # of every reply


def first_move(told: str) -> str:
    """The first legal move in what a seat is told."""
    line = told.rstrip().partition("You have ")[2].splitlines()[1]
    return line.partition(" | ")[0].partition(" to ")[0] if line[-1].isdigit() else line.partition(" | ")[0]


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each reply waits for the client to acknowledge its headers
    server: Any

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_POST(self) -> None:
        """A chat completion."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, messages = request["model"], request["messages"]
        with self.server.lock:
            self.server.requests.append(messages)
            self.server.count[model] += 1
            times = self.server.count[model]
        asked = [each["content"] for each in messages if each["role"] == "user"]
        told = next(each for each in reversed(asked) if "You have " in each)
        good = f"Let me think.\nMOVE: {first_move(told)}"
        first = asked[-1] == told
        if model == "busy" and times <= 2:
            self.send_response(429)
            self.send_header("retry-after-ms", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif model == "dead" or (model == "broken" and times == 1):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            if model == "slow":
                self.server.ends.wait()  # its client gives up before
            replies = {
                "illegal": "MOVE: meld 0" if first else good,
                "unreadable": "I pass the time." if first else good,
                "stubborn": "MOVE: fold",
                "empty": "" if first else good,
                "huge": "x" * 10_000_000 + "\n" + good,
                "null": None if first else good,
            }
            self._reply(replies.get(model, good))

    def _reply(self, text: str | None) -> None:
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": TOKENS_READ, "completion_tokens": TOKENS_WRITTEN, "total_tokens": 0}
        content = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "usage": usage}
        body = json.dumps(content | {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
        with contextlib.suppress(OSError):  # a client that waits no longer
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@contextlib.contextmanager
def chat_server() -> Iterator[Any]:
    """A server while it runs; `requests` are the conversations that it was sent, `url` is its address."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lock, server.requests, server.count = threading.Lock(), [], Counter()
    server.ends = threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ends.set()
        server.shutdown()
        server.server_close()
        thread.join()
