"""What several of these tests need: a Ray cluster of two machines, both this one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import ray
from ray.cluster_utils import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes of one processor each. An actor takes a processor, so two of them are on different nodes."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    cluster.connect()
    yield cluster
    ray.shutdown()
    cluster.shutdown()
