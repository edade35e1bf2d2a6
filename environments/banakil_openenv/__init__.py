"""Rummy games for OpenEnv: the classes for a program that plays on a server. See docs/plugins/openenv.md."""

from banakil_openenv.client import TableClient
from banakil_openenv.models import Table, TableAction, TableObservation, TableState
from banakil_openenv.tools import TableTools

__all__ = ["Table", "TableAction", "TableClient", "TableObservation", "TableState", "TableTools"]
