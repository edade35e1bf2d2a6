# Everything that is done from a checkout. Each target sets up what it needs, in .venv, and again when
# pyproject.toml or constraints.txt change. Another Python: make PYTHON=python3.12 test

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
# Dispatched by file, so that each process compiles and deals for its own files only.
PYTEST_ARGS ?= -n 2 --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help demo test bench docs table clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST))

demo: $(READY) ## train a small agent, let it play, and show what it learned
	$(BIN)/python -m train.demo

test: $(READY) ## check style and types, and run every test (PYTEST_ARGS='--long' for more of each)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest $(PYTEST_ARGS)

bench: $(READY) ## measure steps a second on this machine
	$(BIN)/banakil bench

docs: $(READY) ## write the generated parts of the documentation anew
	$(BIN)/python docs/generate.py

# The players of the standing table of docs/arena.md; a run broken off goes on from build/standing.
STANDING ?= random greedy expert
table: $(READY) ## play all players against each other for docs/arena.md
	$(BIN)/banakil arena $(STANDING) --deals 2000 --out build/standing --standing docs/arena.md

clean: ## remove .venv and every cache; what was trained stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find banakil_env agents train tests notebooks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# One resolution with every version pinned. Byte-compiling all of PyTorch would take longer than it saves.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 10) else "banakil-env needs Python 3.10 or later, and %s is %d.%d: try make PYTHON=python3.12 $(MAKECMDGOALS)" % (sys.executable, v[0], v[1]))'
	@echo "Setting up $(VENV) with PyTorch, Stable-Baselines3 and the test tools (a minute or two) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint constraints.txt --editable '.[train,cli,arena,dev]'
	@touch $@
