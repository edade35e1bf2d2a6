"""Does TRL's trainer play and learn at the server? A random model of some thousand weights, two steps."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from table_server import table_server
from tiny_model import call_of, tiny_model, tiny_tokenizer
from trl import GRPOConfig, GRPOTrainer

from banakil_openenv import TableTools

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "plugins" / "openenv.md").read_text(encoding="utf-8")


def test_the_tool_call_of_the_tiny_model_is_one_word() -> None:
    tokenizer = tiny_tokenizer(["draw"])
    assert len(tokenizer(call_of("draw"))["input_ids"]) == 1
    assert tiny_model(tokenizer).num_parameters() < 10_000


def test_the_trainer_plays_is_paid_and_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some replies play the game to its end, others stop before: rewards differ, and the weights move."""
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    tokenizer = tiny_tokenizer(["draw", "take"])
    model = tiny_model(tokenizer)
    before = torch.cat([weight.flatten() for weight in model.parameters()]).clone()
    made: list[TableTools] = []

    def environment() -> TableTools:
        made.append(TableTools(address))
        return made[-1]

    # One turn for each seat, and any call of the tool goes on: two calls are a game.
    table = {"game": "rummy", "rules": "denexa max_turns=2", "illegal": "0", "giveup": "first"}
    with table_server(**table) as address, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = GRPOTrainer(
            model,
            args=GRPOConfig(
                output_dir=str(tmp_path),
                max_steps=2,
                per_device_train_batch_size=8,
                num_generations=8,
                max_completion_length=64,
                max_tool_calling_iterations=4,
                learning_rate=1e-2,
                logging_steps=1,
                save_strategy="no",
                report_to="none",
                use_cpu=True,
                disable_tqdm=True,
                seed=1,
            ),
            processing_class=tokenizer,
            environment_factory=environment,
        )
        trainer.train()
        states = [tools._client.state() for tools in made]
        for tools in made:
            tools._client.close()
    logged: list[dict[str, Any]] = [row for row in trainer.state.log_history if "reward" in row]
    assert len(made) == 8
    assert all(state.over for state in states)
    assert all(-1 <= row["reward"] <= 0 for row in logged)
    assert any(row["reward_std"] > 0 for row in logged)
    assert any(row["tools/call_frequency"] > 0 for row in logged)
    after = torch.cat([weight.flatten() for weight in model.parameters()])
    assert not torch.equal(before, after)
    assert after.isfinite().all()


def test_the_page_shows_arguments_that_the_trainer_takes() -> None:
    program = next(code for code in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if "GRPOTrainer" in code)
    compile(program, "page.py", "exec")
    for name in re.findall(r"^ {8}([a-z_]+)=", program, flags=re.MULTILINE):
        assert name in GRPOConfig.__dataclass_fields__, name
