# `make help` says what there is. Nothing but Python 3.10+ and make is needed; `make check` installs nothing.

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help check watch test test-all lint format coverage attack audit mutants fuzz bench figures clean

# make check FILE=..., make watch FILE=...: the hand-in. `=`, so that a FILE in the environment does not count.
FILE = exercise/transformer_block.py
# make test ARGS=...: more for pytest, e.g. ARGS='-k causality'.
ARGS =
# make ... PYTHON=...: the interpreter. Left out, the first of PYTHONS that is new enough.
PYTHONS = python3 python3.14 python3.13 python3.12 python3.11 python3.10 python
CANDIDATES = $(if $(PYTHON),"$(PYTHON)",$(PYTHONS))
export FILE

# Sets $python in a recipe's shell, or stops with a plain message.
find_python = python=; for candidate in $(CANDIDATES); do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then \
	    python=$$candidate; break; \
	  fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'No Python 3.10 or newer that runs. Tried:' $(CANDIDATES) >&2; \
	  echo 'Install one, or name yours: make $(firstword $(MAKECMDGOALS)) PYTHON=/path/to/python3' >&2; \
	  exit 2; \
	fi

# $(call install,FOLDER,EXTRAS): a virtual environment in FOLDER, made by $python if it is not there, with EXTRAS in it.
install = if ! "$(1)/bin/python" -m pip --version >/dev/null 2>&1; then \
	  if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	    echo "$$python cannot make virtual environments: its venv module is missing or incomplete." >&2; \
	    echo 'On Debian and Ubuntu: sudo apt install python3-venv. Or name another Python with PYTHON=...' >&2; \
	    exit 2; \
	  fi; \
	  "$$python" -m venv --clear "$(1)" || exit 2; \
	fi; \
	echo 'Installing the $(2) extra into $(1) ...'; \
	"$(1)/bin/python" -m pip install -qq --disable-pip-version-check 'pip>=21.3' && \
	"$(1)/bin/python" -m pip install -qq --disable-pip-version-check -e '.[$(2)]'

# A file's tests stay on one worker, in the order of names: what they share is made once.
pytest = -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

help: ## this list
	@echo 'make TARGET, where TARGET is one of:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 :\2/p' Makefile | while IFS=: read -r name text; do \
	  printf '%-12s %s\n' "$$name" "$$text"; done

check: ## grade a hand-in: make check FILE=path/to/transformer_block.py (default: the stub)
	@$(find_python); "$$python" -m grader check "$$FILE"; status=$$?; [ $$status -eq 1 ] || exit $$status

watch: ## grade it again on every save: make watch FILE=...; Ctrl-C stops
	@$(find_python); "$$python" -m grader check --watch "$$FILE"; status=$$?; [ $$status -eq 1 ] || exit $$status

test: .venv/.test ## run the kit's own tests in .venv: make test ARGS='-k causality'
	@.venv/bin/python $(pytest)

lint: .venv/.lint ## ruff and mypy
	@.venv/bin/python -m ruff check --quiet
	@.venv/bin/python -m ruff format --check --quiet || \
	  { echo 'ruff would format the files above differently: make format'; exit 1; }
	@.venv/bin/python -m mypy --no-error-summary
	@echo 'lint: nothing found'

format: .venv/.lint ## let ruff format and fix what it can
	@.venv/bin/python -m ruff check --quiet --fix-only
	@.venv/bin/python -m ruff format --quiet

coverage: .venv/.test ## which lines of grader/ the tests reach (the worker's process is not counted)
	@.venv/bin/python -m coverage erase
	@.venv/bin/python -m coverage run -m pytest $(ARGS)
	@.venv/bin/python -m coverage combine --quiet
	@.venv/bin/python -m coverage report

attack: ## every hostile hand-in at every level, as root also as nobody: make attack ARGS='--level full'
	@$(find_python); "$$python" -m tests.attacks $(ARGS)

audit: ## the kit grades itself, in parallel: make audit ARGS='--seeds 5 --first-seed 100'
	@$(find_python); "$$python" -m grader audit $(ARGS)

mutants: ## small changes to every right hand-in must lose marks: make mutants ARGS='--sample 500'
	@$(find_python); "$$python" -m tests.mutants --record tests/submissions/mutants.json $(ARGS)

fuzz: ## broken files and forged replies by the thousand: make fuzz ARGS='--cases 100000'
	@$(find_python); "$$python" -m tests.fuzzing $(ARGS)

bench: .venv/.test ## how fast it grades, against the bare passes and peers: make bench ARGS=--write
	@.venv/bin/python -m tests.bench $(ARGS)

figures: ## record the audit and write its figures, and those of the mutants, into the README
	@$(find_python); "$$python" -m grader audit --oracle --format json --output tests/submissions/audit.json $(ARGS); \
	status=$$?; [ $$status -le 1 ] && "$$python" -m tests.figures && exit $$status

.venv/.test: pyproject.toml
	@$(find_python); $(call install,.venv,test)
	@touch $@

.venv/.lint: pyproject.toml | .venv/.test
	@$(find_python); $(call install,.venv,lint)
	@touch $@

# One environment for each Python that is found, on PATH or under pyenv: make test-3.12 runs one of them.
MINORS = 3.10 3.11 3.12 3.13 3.14 3.15
which_minor = python=; for candidate in "python$(1)" "$$HOME/.pyenv/versions/$(1)"*/bin/python; do \
	  if [ "$$("$$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = '$(1)' ]; then \
	    python=$$candidate; break; \
	  fi; \
	done

test-all: ## run the tests on every Python from 3.10 on PATH or under pyenv; make test-3.12 for one
	@found=; $(foreach minor,$(MINORS),$(call which_minor,$(minor)); [ -z "$$python" ] || found="$$found $(minor)"; ) \
	if [ -z "$$found" ]; then echo 'No Python 3.10 or newer found.' >&2; exit 2; fi; \
	passed=; failed=; \
	for minor in $$found; do \
	  if $(MAKE) "test-$$minor"; then passed="$$passed $$minor"; else failed="$$failed $$minor"; fi; \
	done; \
	echo "Passed on:$${passed:- none}. Failed on:$${failed:- none}."; \
	[ -z "$$failed" ]

test-3.%: .venvs/3.%/.test
	@echo 'Python 3.$*:'
	@.venvs/3.$*/bin/python $(pytest)

.venvs/3.%/.test: pyproject.toml
	@$(call which_minor,3.$*); if [ -z "$$python" ]; then echo 'No Python 3.$* found.' >&2; exit 2; fi; \
	$(call install,.venvs/3.$*,test)
	@touch $@

.PRECIOUS: .venvs/3.%/.test

clean: ## remove environments, caches and build leftovers
	rm -rf .venv .venvs build dist *.egg-info .coverage .coverage.* htmlcov .benchmarks .hypothesis .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
