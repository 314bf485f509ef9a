# Kew: everything a newcomer or a build machine needs, one line each. `make` alone lists it.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src -name '*.py' -o -name '*.typed' -o -name '*.json')
COMPILER := $(shell command -v cc || command -v gcc || command -v clang)
BUILD := $(if $(COMPILER),compiled,interpreted)
REQUIRE := $(if $(COMPILER),KEW_REQUIRE_COMPILED=1,KEW_PURE=1)
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup spark run check test demo bench lint man dist docs interop crash soak mutants fuzz cluster perf browser clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

setup: $(VENV)/.installed ## make .venv with Kew (compiled where a C compiler exists) and the tools

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
STEP := @$(PYTHON) tools/step.py

$(VENV)/.tools: pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Kew needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(STEP) "Making .venv" $(PYTHON) -m venv $(VENV)
	$(STEP) "Installing what Kew and its tests need" $(PIP) install $$($(PYTHON) tools/needs.py dev)
	@touch $@

# Sources that were deleted must not live on in build/, nor in the environment, nor the distribution under its former name.
$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	@rm -rf build/lib build/bdist* && find build -name '*.py' -delete 2>/dev/null || true
	@$(PIP) uninstall --yes kew 2>/dev/null || true
	$(STEP) "Building Kew, $(BUILD)" env $(REQUIRE) $(PIP) install --no-build-isolation --force-reinstall --no-deps .
	@touch $@

run: setup ## start a developer queue manager in the foreground; PORT=1415 for another port than 1414
	@$(BIN)/kew start QM1 --dev --foreground $(if $(PORT),--port $(PORT))

spark: setup $(VENV)/.spark ## add Spark and pyarrow to .venv, for reports and the laboratory (needs Java 17)

# A queue manager runs without it.
$(VENV)/.spark: $(VENV)/.tools
	$(STEP) "Installing Spark and pyarrow" $(PIP) install $$($(PYTHON) tools/needs.py spark)
	@touch $@

check: $(VENV)/.tools $(VENV)/.spark ## lint, types and the quick tests of what differs from the main branch, interpreted
	@$(BIN)/python -m tools.check $(ARGS)

test: setup $(VENV)/.spark ## lint, the whole suite on the build above, the unit tests again interpreted
	$(BIN)/python -m tests.both $(BUILD) $(ARGS)

demo: setup $(VENV)/.spark ## the tour: workload, statistics, analysis, report
	$(BIN)/python -m examples.demo

bench: setup ## measure the hot paths, one table with ratios
	$(BIN)/python -m tests.bench $(ARGS)

lint: setup $(VENV)/.spark ## ruff, formatting, mypy strict, how docstrings and texts open
	$(BIN)/ruff check src tests examples tools setup.py
	$(BIN)/ruff format --check src tests examples tools setup.py
	MYPYPATH=src $(BIN)/mypy src tests examples tools
	$(BIN)/python -m tools.prose

interop: setup $(VENV)/.spark ## IBM's Java clients of 9.0 to 9.4, and tshark where it is installed (needs Java 17); ARGS=9.4
	$(BIN)/python -m tests.interop $(ARGS)

man: setup ## write the manual pages to build/man
	$(BIN)/kew help --write build/man

dist: setup ## the source distribution and the wheel in dist/, with manual pages
	$(BIN)/kew help --write packaging/man
	$(STEP) "Installing build" $(PIP) install build
	$(STEP) "Building dist/" $(BIN)/python -m build

docs: setup ## write the reference from the tables and the documentation as a site to build/docs
	$(STEP) "Installing mkdocs-material" $(PIP) install 'mkdocs-material>=9.5'
	$(BIN)/kew help --write docs/reference --markdown
	$(BIN)/mkdocs build --strict

crash: setup ## crash histories and kill -9 runs, as many as ARGS asks
	$(BIN)/python -m tests.crash $(ARGS)

soak: setup ## an hour of load, kills, backups and media recovery, with memory and p99 plotted; ARGS="--seconds 600"
	$(BIN)/python -m tests.soak $(ARGS)

mutants: setup ## take away each sync, checksum check and check of authority in turn; ARGS="--logic --sample 50" for logic
	$(BIN)/python -m tests.mutants $(ARGS)
	$(BIN)/python -m tests.security.mutants

fuzz: setup ## feed the parsers and a queue manager rubbish; ARGS="--seconds 600 sessions"
	$(BIN)/python -m tests.fuzz $(ARGS)

perf: setup $(VENV)/.spark ## every scenario of the laboratory in its quick form, and the report; ARGS="rr_cc tls"
	$(BIN)/kew perf run $(or $(ARGS),all) --quick --data build/perf --results build/perf/results
	$(BIN)/kew perf report --results build/perf/results --out build/perf/report.html --markdown

browser: setup $(VENV)/.spark ## a report opened in Chromium (Debian: apt install chromium)
	$(BIN)/python -m pytest tests/spark/test_browser.py tests/spark/test_page.py -m browser $(ARGS)

cluster: setup $(VENV)/.spark ## the Spark jobs on a cluster of processes, and a query and its queue manager killed at random
	$(BIN)/python -m pytest tests/spark -m cluster $(ARGS)

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist docs/reference packaging/man src/*.egg-info
