"""`greedy`: to come."""

from banakil_env.kit.uniform import act as act
