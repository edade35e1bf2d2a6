# Everything that is done from a checkout. Each target sets up what it needs, in .venv, and again when
# pyproject.toml or constraints.txt change. Another Python: make PYTHON=python3.12 test

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
# Dispatched by game and by file (tests/conftest.py), so that each process compiles for its own games only.
PYTEST_ARGS ?= -n 2 --dist loadgroup

# Compiled code is kept for all checkouts of a user: what one has compiled serves the next, where the sources agree.
export NUMBA_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/banakil_env/compiled

# Python keeps what it imports as bytecode, also where the environment says no: many tests start a Python of their own.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test test-all checks types pytest isolation libraries test-plugins test-browser test-lowest bench docs pictures screenshots docs-site wasm-ld table wheel-on-arm clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST))

demo: $(READY) ## train a small agent, let it play, and show what it learned
	$(BIN)/python -m train.demo

test: RUN := --short
test: checks ## check style and types, and run every kind of test at the main table of every game

test-all: checks ## the same with every test (PYTEST_ARGS='--long' for more of each)

checks: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(MAKE) --no-print-directory --jobs 2 types pytest RUN=$(RUN)

# Both at once: mypy uses one core, and the tests begin by collecting.
types: $(READY)
	$(BIN)/mypy

pytest: $(READY) isolation libraries
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(RUN)

# In processes of their own: what Numba needs to build a library stays in the memory of the process that has built it.
libraries: $(READY)
	@$(BIN)/banakil build --game all > /dev/null

# `banakil write-rules` isolates programs by bubblewrap. Without it, the tests check that no program is run.
isolation:
	@command -v bwrap > /dev/null || { apt-get -qq update && apt-get -qq install --yes --no-install-recommends bubblewrap; } \
		> /dev/null 2>&1 || echo "bubblewrap is missing: the tests check that banakil write-rules runs no program"

# The libraries of docs/plugins/, in groups whose requirements agree. A group is a file of pinned versions, a folder of
# tests, and the extras named here.
EXTRAS_data      := data,readers,hub,onnx
EXTRAS_jax       := jax
EXTRAS_openspiel := openspiel
EXTRAS_rlcard    := rlcard
EXTRAS_rllib     := rllib,train
EXTRAS_torchrl   := torchrl,tianshou
EXTRAS_verifiers := verifiers
EXTRAS_openenv   := openenv,trl
# Packages of this repository that are installed with them.
PACKAGES_verifiers := environments/banakil_verifiers
PACKAGES_openenv   := environments/banakil_openenv
GROUP ?= $(sort $(patsubst train/plugins/constraints-%.txt,%,$(wildcard train/plugins/constraints-*.txt)))

test-plugins: $(addprefix plugins-,$(GROUP)) ## run the tests of other libraries, each group in .venv-GROUP (GROUP=rllib for one)

plugins-%: .venv-%/ready
	.venv-$*/bin/python -m pytest tests/plugins/$* --durations 5

# In a real Chromium, the system's; CHROMIUM=PATH names another. If there is no Chromium, apt installs one where it may.
# A test that fails is tried once more and counted as a rerun: on a busy machine a page may change between two queries.
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || echo chromium)
test-browser: .venv-browser/ready wasm-ld ## run the tests of pages and videos in Chromium, in .venv-browser
	@command -v $(CHROMIUM) > /dev/null || { apt-get -qq update && apt-get -qq install --yes --no-install-recommends chromium; } || \
		{ echo "install Debian's chromium, or name another: make CHROMIUM=/path/to/chrome test-browser"; exit 1; }
	CHROMIUM=$(CHROMIUM) .venv-browser/bin/python -m pytest tests/browser --durations 5 --reruns 1

.venv-browser/ready: pyproject.toml constraints-browser.txt
	@echo "Setting up .venv-browser (a minute) ..."
	@test -x .venv-browser/bin/python || $(PYTHON) -m venv .venv-browser
	@.venv-browser/bin/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint constraints-browser.txt --editable '.[browser]'
	@touch $@

# What the package itself promises, with the oldest versions that pyproject.toml allows.
LOWEST ?= tests/contract
test-lowest: .venv-lowest/lowest ## run the contract tests with the oldest dependencies, in .venv-lowest
	.venv-lowest/bin/python -m pytest -q $(LOWEST)

.venv-lowest/lowest: pyproject.toml constraints-lowest.txt
	@echo "Setting up .venv-lowest with the oldest versions that are supported ..."
	@test -x .venv-lowest/bin/python || $(PYTHON) -m venv .venv-lowest
	@.venv-lowest/bin/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint constraints-lowest.txt --editable '.[test]'
	@touch $@

bench: $(READY) ## measure steps per second on this machine
	$(BIN)/banakil bench

docs: $(READY) ## write the generated parts of the documentation again
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/colab.py

pictures: $(READY) ## draw the pictures of the documentation again
	$(BIN)/python docs/pictures.py

docs-site: $(READY) wasm-ld ## build the documentation site in build/site, with the page to play and the notebooks run in short form
	$(BIN)/python docs/site.py --run-notebooks --play

# The linker for WebAssembly, which the page to play in the browser needs (docs/browser.md).
wasm-ld:
	@test -n "$(WASM_LD)" || command -v wasm-ld > /dev/null || { apt-get -qq update && apt-get -qq install --yes --no-install-recommends lld; } \
		> /dev/null 2>&1 || { echo "install Debian's lld, or name a linker: make WASM_LD=/path/to/wasm-ld docs-site"; exit 1; }

screenshots: .venv-browser/ready ## take the pictures of the browser in the documentation again
	CHROMIUM=$(CHROMIUM) .venv-browser/bin/python docs/screenshots.py

GAME ?= banakil
# Compiled players only, which takes a minute; agents would take hours, and are in docs/ladders.md. Games with contracts
# play contract by contract.
TABLES_contract = --players 3 $(foreach contract,1 2 3 4 5 6 7,--rules contract=$(contract))
TABLES_kalooki = --players 3 $(foreach contract,1 2 3 4 5 6 7 8 9,--rules contract=$(contract))
table: $(READY) ## play the compiled players of a game (GAME=gin) against each other, for its page in docs/games
	$(BIN)/banakil arena random greedy expert --game $(GAME) $(TABLES_$(GAME)) --deals 2000 --out build/standing/$(GAME) \
		--standing docs/games/$(GAME).md

# The wheels are made by release/wheels.py. GAMES=gin: of some games only.
DIST ?= dist
wheel-on-arm: $(READY) ## play with the wheel for aarch64 under QEMU, and compare with the wheel for this machine
	$(BIN)/python release/on_arm.py $(DIST) $(GAMES)

clean: ## remove .venv and every cache; what was trained stays
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find banakil_env train tests notebooks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# PyTorch first: what comes after then takes the build that is there. Every version is pinned. Byte-compiling all of PyTorch would take longer than it saves.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else "banakil-env needs Python 3.11 or later, and %s is %d.%d: try make PYTHON=python3.12 $(MAKECMDGOALS)" % (sys.executable, v[0], v[1]))'
	@echo "Setting up $(VENV) with PyTorch, Stable-Baselines3 and the test tools (a minute or two) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint constraints.txt torch
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint constraints.txt --editable '.[train,cli,arena,dev]'
	@touch $@

# PyTorch first, where a group has it: what comes after then takes the build that is there.
.venv-%/ready: pyproject.toml train/plugins/constraints-%.txt
	@test -n "$(EXTRAS_$*)" || { echo "there is no group $*: its extras are to be named in the Makefile, EXTRAS_$*"; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else "the plug-ins are pinned for Python 3.11 or later, and %s is %d.%d" % (sys.executable, v[0], v[1]))'
	@echo "Setting up .venv-$* with $(EXTRAS_$*) (a minute) ..."
	@test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	@! grep -q '^torch==' train/plugins/constraints-$*.txt || \
		.venv-$*/bin/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint train/plugins/constraints-$*.txt torch
	@.venv-$*/bin/python -m pip install --quiet --quiet --disable-pip-version-check --prefer-binary --no-compile \
		--constraint train/plugins/constraints-$*.txt --editable '.[$(EXTRAS_$*),cli,arena,test]' \
		$(addprefix --editable ./,$(PACKAGES_$*))
	@touch $@
.PRECIOUS: .venv-%/ready
