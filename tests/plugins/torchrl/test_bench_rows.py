"""Can the ways through TorchRL and Tianshou be measured?"""

from __future__ import annotations

from banakil_env.bench import plugins
from banakil_env.bench.measure import Plan
from banakil_env.games import find


def test_every_way_can_be_measured() -> None:
    rows, missing = plugins.tasks(find("banakil"))
    assert len(rows) == 4
    assert any("pip install -e '.[rllib]'" in line for line in missing)
    assert all(task.run(Plan(runs=1, seconds=0)).median > 0 for task in rows)
