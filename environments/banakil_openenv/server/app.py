"""The web application: serves many sessions at once, each with a separate game.

    python -m banakil_openenv.server.app --port 8000

Environment variables set the default table: BANAKIL_GAME, BANAKIL_PLAYERS, BANAKIL_OPPONENTS and so on, one for each
field of `Table`. BANAKIL_SESSIONS is the largest number of games at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from functools import partial

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app
from pydantic import ValidationError

from banakil_openenv.models import Table, TableAction, TableObservation, TableState
from banakil_openenv.server.environment import TableEnvironment, TableError

SESSIONS, MOST_SESSIONS = 64, 10_000
MAX_PORT = 65_535


def table_of(variables: Mapping[str, str]) -> Table:
    """The table that environment variables describe. Raises ValidationError if they are invalid."""
    names = {name: f"BANAKIL_{name.upper()}" for name in Table.model_fields}
    return Table.model_validate({name: variables[key] for name, key in names.items() if key in variables})


def sessions_of(variables: Mapping[str, str]) -> int:
    """The largest number of games at once. Raises TableError if the variable has an invalid value."""
    said = variables.get("BANAKIL_SESSIONS", str(SESSIONS))
    if not (said.isdecimal() and len(said) <= 9 and 1 <= int(said) <= MOST_SESSIONS):
        raise TableError(f"BANAKIL_SESSIONS is a whole number from 1 to {MOST_SESSIONS}, not {said!r:.80}")
    return int(said)


def application(variables: Mapping[str, str] | None = None) -> FastAPI:
    """The server with a default table from environment variables.

    Raises ValidationError or TableError if a variable has an invalid value.
    """
    given = os.environ if variables is None else variables
    made: FastAPI = create_app(
        partial(TableEnvironment, table_of(given)),
        TableAction,
        TableObservation,
        env_name="banakil_openenv",
        state_cls=TableState,
        max_concurrent_envs=sessions_of(given),
    )

    @made.exception_handler(TableError)
    def refuse(_: Request, error: TableError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=409)

    @made.exception_handler(RequestValidationError)
    def refuse_values(_: Request, error: RequestValidationError) -> JSONResponse:
        """Respond without the invalid values, since an infinite number has no JSON."""
        faults = [f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()]
        return JSONResponse({"detail": "; ".join(faults)}, status_code=422)

    return made


def __getattr__(name: str) -> FastAPI:
    """`app`, for `uvicorn server.app:app`. It is created at its first use, so that `main` can report an error."""
    if name == "app":
        return application()
    raise AttributeError(name)


def main() -> None:
    """Run the server, or only compile the code that the table needs."""
    parser = argparse.ArgumentParser(description="Serve rummy games by OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=_port, default=8000)
    parser.add_argument("--prepare", action="store_true", help="compile the table that is dealt by default, and stop")
    args = parser.parse_args()
    try:
        sessions_of(os.environ)
        TableEnvironment(table_of(os.environ)).prepare()
    except ValidationError as error:
        faults = "; ".join(f"BANAKIL_{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors())
        sys.exit(f"the variables BANAKIL_... describe no table: {faults}")
    except TableError as error:
        sys.exit(f"the variables BANAKIL_... describe no table: {error}")
    if not args.prepare:
        uvicorn.run(application(), host=args.host, port=args.port)


def _port(text: str) -> int:
    """Parse a port from the command line."""
    if not (text.isdecimal() and len(text) <= 9 and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to {MAX_PORT}, not {text!r:.80}")
    return int(text)


if __name__ == "__main__":
    main()
