"""Which games and tables does a contract test go through? All of them, or few.

To import this module sets up every table of every game; programs that play one game import `contract_play` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from contract_play import Case, cases_of, few_cases_of

from banakil_env.games import GAMES


def _parameters(cases: Iterable[Case]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in cases])


each_game = pytest.mark.parametrize("name", list(GAMES))
each_case = _parameters(case for name in GAMES for case in cases_of(name))
each_of_few = _parameters(case for name in GAMES for case in few_cases_of(name))
