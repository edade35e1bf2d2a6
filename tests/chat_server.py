"""A stand-in for a chat server: the name of the model says how it replies.

`good` makes the first legal move that it is told of; the others misbehave in one way each, most of them only at first.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKENS_READ, TOKENS_WRITTEN = 700, 11  # of every reply
LIMIT = 3.0  # seconds after which a server that sends without end does end
STATUSES = {"refuses": 400, "unknown": 404, "down": 503}


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
            self._refuse(429)
        elif model in STATUSES or (model == "mends" and times == 1):
            self._refuse(STATUSES.get(model, 503))
        elif model == "moved":
            self._refuse(307, ("Location", f"{self.server.elsewhere}/chat/completions"))
        elif model.startswith("endless"):
            self._send_without_end(model)
        elif model in self.server.bodies:
            self._send(json.dumps(self.server.bodies[model]).encode())
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
                "cut": None if first else good,
                "emoji": "Hm \ud83d" if first else f"Half an emoji: \ud83d\n{good}",
                "codec": "\u00e9" * 200_000 + "\n" + good,
            }
            ends = "length" if (model == "cut" and first) or model == "long" else "stop"
            self._reply(replies.get(model, good), ends)

    def _refuse(self, status: int, *headers: tuple[str, str]) -> None:
        body = b'{"error": {"message": "no such thing here"}}'
        self.send_response(status)
        for name, value in (("retry-after-ms", "1"), ("Content-Type", "application/json"), *headers):
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_without_end(self, model: str) -> None:
        """Bytes for ever: of the headers or of the body, slowly or at once, of a reply or of an error."""
        begun, self.close_connection = time.monotonic(), True
        status = b"400 Bad Request" if "error" in model else b"200 OK"
        head = b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\n"
        part, pause = (b" " * 100_000, 0.0) if "flood" in model else (b" ", 0.02)
        with contextlib.suppress(OSError):  # the client has left
            self.wfile.write(head + (b"X: " if "headers" in model else b"Transfer-Encoding: chunked\r\n\r\n"))
            while time.monotonic() - begun < LIMIT:
                chunk = part if "headers" in model else b"%x\r\n%s\r\n" % (len(part), part)
                self.wfile.write(chunk)
                self.server.sent += len(part)
                time.sleep(pause)

    def _reply(self, text: str | None, ends: str = "stop") -> None:
        message = {"role": "assistant", "content": text, "reasoning_content": "Hm."}
        usage = {"prompt_tokens": TOKENS_READ, "completion_tokens": TOKENS_WRITTEN, "total_tokens": 0}
        content = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "usage": usage}
        self._send(
            json.dumps(content | {"choices": [{"index": 0, "finish_reason": ends, "message": message}]}).encode()
        )

    def _send(self, body: bytes) -> None:
        with contextlib.suppress(OSError):  # a client that waits no longer
            self.send_response(200)
            self.send_header("Content-Type", f"application/json{self.server.charset}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@contextlib.contextmanager
def chat_server() -> Iterator[Any]:
    """A server while it runs.

    `requests` are the conversations that it was sent, `sent` the bytes of endless replies, `url` is its address;
    `bodies` are responses for other names of models, `elsewhere` is where it sends clients of `moved`, `charset` is
    what it adds to the type of its replies.
    """
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lock, server.requests, server.count = threading.Lock(), [], Counter()
    server.ends, server.sent, server.bodies, server.elsewhere = threading.Event(), 0, {}, ""
    server.charset = ""
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
