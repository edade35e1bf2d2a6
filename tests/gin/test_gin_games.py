"""Golden games of Gin Rummy that a person can follow, and positions that come back to the byte."""

from __future__ import annotations

import random

import pytest
from gin_play import ending, legal, play

from banakil_env.games import gin
