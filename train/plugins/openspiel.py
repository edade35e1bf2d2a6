"""The small pack of Banakil in OpenSpiel: the value of the game, and the exploitability of players.

    python -m train.plugins.openspiel                     # CFR+, the exact value, the rule-based players
    python -m train.plugins.openspiel --episodes 20000    # and an agent that OpenSpiel trains by self-play

`Tree` builds the tree of all games of the small pack once and passes it to OpenSpiel's C++ as an extensive-form game,
on which algorithms are fast. Exploitability is half of the points that best responses at both seats together win beyond
the value of the game. See docs/plugins/openspiel.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import gambit, sequence_form_lp
from open_spiel.python.pytorch.policy_gradient import PolicyGradient

import banakil_env.envs.openspiel  # noqa: F401 registers the game
from banakil_env.agents import make_player
from banakil_env.arena import Player
from banakil_env.games import find
from banakil_env.kit.plain import Plain

PLAIN = Plain(find("banakil"))  # the game that is registered with OpenSpiel
Policy = Callable[[Any], Mapping[int, float]]  # maps a state of the small pack to the probability of each action
DICE = 32  # samples per decision from which the policy of a random player is estimated


class Tree:
    """The tree of all games of a small pack, as a game for OpenSpiel's C++.

    Args:
        rules: a small pack whose tree fits into memory (`mini` has 10,400 nodes).

    Attributes:
        game: `python_banakil`, with one history per deal.
        efg: the same game for the C++ algorithms, with labels for actions.
    """

    def __init__(self, rules: str = "mini") -> None:
        self.game = pyspiel.load_game("python_banakil", {"rules": rules, "sorted_hands": True})
        self.efg = pyspiel.load_efg_game(gambit.export_gambit(self.game))
        self._places: dict[str, tuple[Any, str, dict[int, int]]] = {}
        self.nodes = 0
        self._match(self.game.new_initial_state(), self.efg.new_initial_state())

    def _match(self, state: Any, twin: Any) -> None:
        """Store, for each information state of `game`, its name and its actions in `efg`.

        Args:
            state: a state of `game`, from which the rest of the tree is walked.
            twin: the same state in `efg`.
        """
        self.nodes += 1
        if state.is_terminal():
            return
        labels = {twin.action_to_string(action): action for action in twin.legal_actions()}
        twins = {action: labels[state.action_to_string(action)] for action in state.legal_actions()}
        if not state.is_chance_node():
            self._places.setdefault(state.information_state_string(), (state, twin.information_state_string(), twins))
        for action, other in twins.items():
            self._match(state.child(action), twin.child(other))

    def tabular(self, policy: Policy) -> Any:
        """A policy of the small pack as a table for `efg`."""
        table = {
            name: [(twins[action], chance) for action, chance in policy(state).items()]
            for state, name, twins in self._places.values()
        }
        return pyspiel.TabularPolicy(table)

    def worst_cases(self, policy: Any) -> tuple[float, float]:
        """The value of a policy for `efg` at each seat against the best response of the other seat."""
        root = self.efg.new_initial_state()
        answers = [pyspiel.TabularBestResponse(self.efg, seat, policy).value_from_state(root) for seat in range(2)]
        return -answers[1], -answers[0]

    def exact_value(self) -> float:
        """The value of the game to the first seat, by linear programming in sequence form."""
        return float(sequence_form_lp.solve_zero_sum_game(self.efg)[0])

    def cfr(self, reports: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """Run CFR+; yields the average policy for `efg` after each of these numbers of iterations."""
        solver, done = pyspiel.CFRPlusSolver(self.efg), 0
        for report in reports:
            for _ in range(report - done):
                solver.evaluate_and_update_policy()
            done = report
            yield done, solver.tabular_average_policy()


def policy_of(player: Player) -> Policy:
    """The policy of a player of the arena, estimated from repeated samples of its actions."""

    def policy(state: Any) -> dict[int, float]:
        seen = PLAIN.observe(state.record, state.current_player())
        rows = np.tile(seen["observation"], (DICE, 1)), np.tile(seen["action_mask"], (DICE, 1))
        dice = np.random.default_rng(0).integers(2**64, size=DICE, dtype=np.uint64)
        counts = np.bincount(player.act(*rows, dice), minlength=PLAIN.game.num_actions)
        return {action: counts[action] / DICE for action in state.legal_actions()}

    return policy


def uniform(state: Any) -> dict[int, float]:
    """The uniform policy over legal actions."""
    legal = state.legal_actions()
    return dict.fromkeys(legal, 1 / len(legal))


# An agent trained by OpenSpiel --------------------------------------------------------------------------------------


class Trained(NamedTuple):
    """Agents of OpenSpiel, one per seat, as a player of the arena. They see the observation and have no memory."""

    agents: list[Any]
    name: str = "policy gradient"

    def chances(self, tensor: Any, seat: int, legal: list[int]) -> npt.NDArray[np.float64]:
        """The probability of each legal action, given the observation tensor of the seat."""
        seats = range(len(self.agents))
        seen = {"info_state": [tensor for _ in seats], "legal_actions": [legal for _ in seats], "current_player": seat}
        step = rl_environment.TimeStep(seen, None, None, rl_environment.StepType.MID)
        chances: npt.NDArray[np.float64] = self.agents[seat].step(step, is_evaluation=True).probs[legal]
        return chances / chances.sum()

    def policy(self, state: Any) -> dict[int, float]:
        """The action that the agent chooses in a state of OpenSpiel, as a policy."""
        seat, legal = state.current_player(), state.legal_actions()
        return dict(zip(legal, self.chances(state.observation_tensor(seat), seat, legal), strict=True))

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Draw an action for each row from the policy of its seat's agent; the arguments are those of `Player.act`."""
        answers = []
        for observation, mask, bits in zip(observations, masks, dice, strict=True):
            # The last seat deals, so the dealer's distance gives this seat.
            seat = len(self.agents) - 1 - int(PLAIN.fields(observation).dealer.argmax())
            tensor = np.concatenate(
                [np.eye(len(self.agents))[seat], observation / PLAIN.game.observation_fields.highest_bytes]
            )
            legal = np.flatnonzero(mask)
            answers.append(np.random.default_rng(bits).choice(legal, p=self.chances(tensor, seat, legal.tolist())))
        return np.array(answers, np.int64)


def train(game: Any, episodes: int, seed: int = 0, **options: Any) -> Trained:
    """Train agents by self-play in OpenSpiel's own loop, with its regret policy gradient.

    Args:
        game: the game.
        episodes: the number of episodes.
        seed: the seed.
        options: options of OpenSpiel's `PolicyGradient`, in place of the defaults here.
    """
    np.random.seed(seed)  # noqa: NPY002 its agents throw these dice
    torch.manual_seed(seed)
    env = rl_environment.Environment(
        game,
        observation_type=rl_environment.ObservationType.OBSERVATION,
        chance_event_sampler=rl_environment.ChanceEventSampler(seed),
        enable_legality_check=True,
    )
    settings = {
        "loss_str": "rpg",
        "hidden_layers_sizes": (128,),
        "batch_size": 32,
        "critic_learning_rate": 3e-3,
        "pi_learning_rate": 1e-3,
        "entropy_cost": 0.01,
        "num_critic_before_pi": 4,
        "optimizer_str": "adam",
        **options,
    }
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [PolicyGradient(seat, size, actions, **settings) for seat in range(game.num_players())]
    for _ in range(episodes):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:  # passes on the reward at the end
            agent.step(step)
    return Trained(agents)


# The tables of docs/plugins/openspiel.md ----------------------------------------------------------------------------


def main() -> None:
    """Run the command: print a Markdown table about CFR+, and one about players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="mini", help="a small pack (default: mini)")
    parser.add_argument("--iterations", type=int, default=1000, help="of CFR+ (default: 1000)")
    parser.add_argument("--episodes", type=int, default=0, help="of self-play; 0: no agent is trained")
    parser.add_argument("--seed", type=int, default=0, help="of the training")
    given = parser.parse_args()
    tree = Tree(given.rules)
    for line in report(tree, given.iterations, given.episodes, given.seed):
        print(line, flush=True)


def report(tree: Tree, iterations: int, episodes: int = 0, seed: int = 0) -> Iterator[str]:
    """Yield the lines of two Markdown tables: CFR+ by number of iterations, and the exploitability of players.

    `episodes` is the number of self-play episodes; with 0 no agent is trained.
    """
    yield f"{tree.nodes:,} nodes; with perfect play the first seat gets {tree.exact_value():z.4f}\n"
    yield "| iterations of CFR+ | exploitability |\n|---|---|"
    reports = [n for n in (1, 10, 100, 1000, 10000) if n < iterations] + [iterations]
    for done, solved in tree.cfr(reports):
        yield f"| {done} | {-sum(tree.worst_cases(solved)) / 2:z.5f} |"
    yield "\n| player | worst case in the first seat | in the second | exploitability |\n|---|---|---|---|"
    yield row(f"CFR+, {iterations} iterations", tree.worst_cases(solved))
    yield row("random", tree.worst_cases(tree.tabular(uniform)))
    for name in ("greedy", "expert"):
        yield row(name, tree.worst_cases(tree.tabular(policy_of(make_player(name)))))
    if episodes:
        trained = train(tree.game, episodes, seed)
        yield row(f"{trained.name}, {episodes} rounds", tree.worst_cases(tree.tabular(trained.policy)))


def row(name: str, worst: tuple[float, float]) -> str:
    """The row of a player in the table of players; it never shows a negative zero.

    `worst` are the points of the player against its best response, in the first seat and in the second.
    """
    first, second = worst
    return f"| {name} | {first:z.2f} | {second:z.2f} | {-(first + second) / 2:z.2f} |"


if __name__ == "__main__":
    main()
