# Two commands matter: `make demo` and `make test`. Each sets everything up first, on a machine with nothing but
# Python 3.11 or later; `PYTHON=…` chooses the interpreter.

SHELL := /bin/bash
.DEFAULT_GOAL := test

BIN := .venv/bin
# The folders that hold code today.
CODE = $(foreach folder,src tests benchmarks evals,$(if $(shell find $(folder) -name "*.py" -print -quit 2>/dev/null),$(folder)))
WORKERS ?= 2
# Each process begins with a stretch of its own and then takes from whoever has most left: what a file or a folder
# shares is made once, and none waits for the other.
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal
# Tests start our program hundreds of times, and to compile its modules takes longer than all it then does.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test gate prove bench docs lint types lock clean

setup: ## the environment, from the lock, hashes checked; instant when nothing changed
	@scripts/setup

demo: setup ## a small company's record, asked as different people
	@$(BIN)/muniment demo

test: setup ## style, types, import contracts, then every test, those of the shape among them
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types
	@$(PYTEST) tests

gate: setup ## what memory of incidents does to those who are on call: fails where it harms
	@$(BIN)/python -m evals replay

prove: setup ## every promise at its full size: hours
	@MUNIMENT_PROVE=1 $(PYTEST) tests

bench: setup ## speed and scale
	@$(BIN)/python -m benchmarks

docs: ## the documentation as a site, in build/site; in an environment of its own
	@$(or $(PYTHON),python3) scripts/site

lint: setup
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m tests.shape.report

types: setup
	@$(BIN)/mypy $(CODE)

lock: setup ## resolve again; the result names no index and no machine
	@scripts/lock

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
