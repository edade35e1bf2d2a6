"""A language model of a few thousand weights, made on the spot: random, and with whole tool calls among its words.

Words are what it reads and writes; most of what it is told it cannot tell apart. A few of its words are complete calls
of the tool `play`, so that it plays even though it has learned nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl.chat_template_utils import qwen3_chat_template

END, NOTHING = "<|im_end|>", "<|endoftext|>"


def call_of(move: str) -> str:
    """A call of the tool, as models of the Qwen family write it."""
    return f"<tool_call>\n{json.dumps({'name': 'play', 'arguments': {'moves': move}})}\n</tool_call>"


def tiny_tokenizer(moves: Sequence[str]) -> PreTrainedTokenizerFast:
    """A tokenizer of words; every move is one word, and ends the reply."""
    words = ["<|im_start|>", END, NOTHING, "[unknown]", "system", "user", "assistant", "tool", "draw", "discard"]
    backend = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[unknown]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token=END, pad_token=NOTHING, unk_token="[unknown]", padding_side="left"
    )
    tokenizer.add_tokens(["<|im_start|>", *map(call_of, moves)], special_tokens=False)
    tokenizer.chat_template = qwen3_chat_template
    return tokenizer


def tiny_model(tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> Qwen3ForCausalLM:
    """A model with random weights."""
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=8192,
        tie_word_embeddings=False,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return Qwen3ForCausalLM(config)
