# The commands of the project; README says what they are for.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
# Any Python from 3.11 on will do; uv brings one if it has to.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,\
  $(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
UV := $(shell command -v uv 2>/dev/null)
# What exactly is installed is pinned by hash; where from is up to the machine's own settings.
LOCK := pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --quiet \
  --custom-compile-command 'make lock' pyproject.toml

# One pytest process per core, but never a crowd: each may start servers of its own.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n > 8 ? 8 : n)))

.PHONY: help run test lint unit servers e2e faults demo admin install lock audit messages clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/installed ## Start the site (PORT=8000); sets up whatever is missing
	@exec $(PY) -m dominoes.start --port $(PORT)

test: lint unit servers e2e ## Run every check and every test

lint: $(VENV)/installed-dev ## Style, types, import directions, migrations
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run

unit: $(VENV)/installed-dev ## Tests without a browser
	$(PY) -m pytest -m "not e2e and not alone and not faults and not faults_long and not only_servers" -n $(WORKERS) -q
	$(PY) -m pytest -m "alone" -q

# One after the other: what is measured here should not be measured against its neighbours.
servers: $(VENV)/installed-dev ## Tests on PostgreSQL and Redis, and the short fault tests
	$(PY) -m tests.with_servers pytest -m "(servers or faults) and not e2e and not faults_long" -q

# Browsers beside each other starve on few cores. What failed is tried once more, by itself; the
# log shows both, and what fails again has failed.
e2e: $(VENV)/installed-dev ## Tests in a real browser
	$(PY) -m pytest -m e2e -n $(WORKERS) --dist worksteal -q || { \
	  [ $$? -eq 1 ] && echo "Once more, one after the other, what failed:" && \
	  $(PY) -m pytest -m e2e --last-failed --last-failed-no-failures none --maxfail 3 -q; }

faults: $(VENV)/installed-dev ## The long fault tests: servers killed, paused and restarted under load
	$(PY) -m pytest -m "faults or faults_long" -q -s

demo: $(VENV)/installed ## Fill the site with players, played matches and tables in play
	$(PY) manage.py migrate --verbosity 0
	$(PY) manage.py seed --demo --live

admin: $(VENV)/installed ## Make an administrator
	$(PY) manage.py migrate --verbosity 0
	$(PY) manage.py createsuperuser

install: $(VENV)/installed ## Install what the site needs

lock: ## Pin the newest fitting versions of everything (needs uv)
	uv $(LOCK) -o requirements.lock --upgrade
	uv $(LOCK) --group dev -o requirements-dev.lock --upgrade

audit: $(VENV)/installed-dev ## Look for known holes in the pinned versions (needs the net)
	$(VENV)/bin/pip-audit --strict --require-hashes --disable-pip -r requirements-dev.lock

messages: $(VENV)/installed ## Collect texts for translation and compile them (needs gettext)
	$(PY) manage.py makemessages --all --no-obsolete --ignore '$(VENV)/*' --ignore 'tests/*' --ignore 'var/*'
	$(PY) manage.py compilemessages --ignore '$(VENV)/*'

clean: ## Remove what was installed and built, but no data
	rm -rf $(VENV) var/static var/static.stamp .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache

$(PY):
ifdef UV
	$(UV) venv --quiet --allow-existing --python '>=3.11' $(VENV)
else
	@test -n "$(PYTHON)" || { echo "No Python from 3.11 on was found."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python can't make a virtual environment here. On Debian: apt install python3-venv"; exit 1; }
endif

define INSTALL
	@echo "Installing from $(1) …"
	@if [ -n "$(UV)" ]; then $(UV) pip install --quiet --python $(PY) --require-hashes -r $(1); else \
	  $(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip >/dev/null; \
	  $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1); fi
endef

$(VENV)/installed: requirements.lock | $(PY)
	$(call INSTALL,requirements.lock)
	@touch $@

# All of the site's own packages are in it as well.
$(VENV)/installed-dev: requirements-dev.lock | $(PY)
	$(call INSTALL,requirements-dev.lock)
	@touch $@ $(VENV)/installed
