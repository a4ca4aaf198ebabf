# The two commands for a fresh machine: `make demo` and `make test`. `make help` lists the rest.
# Set PYTHON to choose an interpreter, VENV to keep the environment elsewhere; pip reads its own settings as usual.

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
BIN := $(VENV)/bin
RUN ?= runs/demo
GOLD_RUN ?= runs/gold
WORKERS ?= auto
BENCH ?= examples/sales/log.jsonl

.DEFAULT_GOAL := help
.PHONY: help demo gold-demo test test-live lint types contracts wheel bench readme findings judging pictures clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.ready ## score the example log, print the table and where the RUN lies
	@$(BIN)/stef score examples/sales/log.jsonl --rules examples/sales/rules.json -o $(RUN) \
		|| { code=$$?; echo "for another folder: make $@ RUN=runs/again" >&2; exit $$code; }

gold-demo: $(VENV)/.ready ## compare two versions of an agent with golds on an embedded database
	@$(BIN)/stef gold run examples/gold/cases.yaml --db sqlite:///examples/gold/music.sqlite \
		--agent replay:examples/gold/turns.jsonl --paraphrases -o $(GOLD_RUN) \
		|| { code=$$?; echo "for another folder: make $@ GOLD_RUN=runs/again" >&2; exit $$code; }

test: $(VENV)/.ready-dev ## all tests (those that need the labelled data beside the project skip without it)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(PYTEST_ARGS)

test-live: $(VENV)/.ready-dev ## the whole path with a real model on this machine (MODEL=path.gguf; not in CI)
	@test -f "$(MODEL)" || { echo "name a GGUF model file: make test-live MODEL=path.gguf" >&2; exit 2; }
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[local]'
	@STEF_LIVE_MODEL="$(abspath $(MODEL))" $(BIN)/python -m pytest tests/live -rA $(PYTEST_ARGS)

lint: $(VENV)/.ready-dev ## ruff: rules and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.ready-dev ## mypy, strict
	@$(BIN)/mypy

contracts: $(VENV)/.ready-dev ## import-linter: an import goes down only
	@$(BIN)/lint-imports

wheel: $(VENV)/.ready-dev ## sdist, wheel from the sdist, and the wheel at work in an environment of its own
	@rm -rf dist build/wheel-check
	@$(BIN)/python -m build --outdir dist .
	@$(BIN)/python -m venv build/wheel-check
	@build/wheel-check/bin/python -m pip install -qq -c constraints.txt dist/*.whl
	@here=$$PWD; cd "$$(mktemp -d)" && "$$here/build/wheel-check/bin/python" -I "$$here/.ci/check_wheel.py"

bench: $(VENV)/.ready-dev ## CPU time per turn against a bare parse, and of the start (BENCH="FILE…" names other logs)
	@$(BIN)/python bench/speed.py $(BENCH)
	@$(BIN)/python bench/startup.py
	@$(BIN)/python bench/gold_run_speed.py

readme: $(VENV)/.ready-dev ## run the README's commands again and put their output under them
	@$(BIN)/python tools/readme.py README.md docs/getting-started.md docs/explain.md docs/gold.md docs/buckets.md docs/selfcheck.md

findings: $(VENV)/.ready-dev ## run all findings over the labelled data beside the project; renew their figures and page
	@$(BIN)/python tools/measure_findings.py
	@$(BIN)/stef findings --markdown > docs/findings.md

judging: $(VENV)/.ready-dev ## fit the symbolic judge on the labelled data beside the project (DATA=DIR); renew its figures and page
	@$(BIN)/python tools/fit_symbolic.py $(or $(DATA),../shared/data)
	@$(BIN)/python tools/judging_page.py

pictures: $(VENV)/.ready-dev ## make the pictures of docs/report.md anew (needs chromium with its chromedriver)
	@$(BIN)/python tools/report_pictures.py

clean: ## remove what was built, not the RUNs
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# pip's own record is the truth; the stamps only say that it was asked with these files.
$(VENV)/.ready: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing stef into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install -qq -c constraints.txt -e .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing stef and its test tools into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[dev]'
	@touch $(VENV)/.ready $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "stef needs Python 3.11 or newer; found: $$(python3 --version 2>&1 || echo none)." \
		"Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "stef needs Python 3.11 or newer;" \
		"$(PYTHON) is $$($(PYTHON) --version 2>&1). Name another: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) -m venv failed; on Debian and Ubuntu the package" \
		"python3-venv brings it." >&2; exit 2; }
