# Two commands matter: `make demo` and `make test`. Each sets everything up first, on a machine with nothing but
# Python 3.11 or later; `PYTHON=…` chooses the interpreter.

SHELL := /bin/bash
.DEFAULT_GOAL := test

BIN := .venv/bin
# The folders that hold code today.
CODE = $(foreach folder,src tests benchmarks evals,$(if $(shell find $(folder) -name "*.py" -print -quit 2>/dev/null),$(folder)))
WORKERS ?= 2

.PHONY: setup demo test gate prove bench lint types lock clean

setup: ## the environment, from the lock, hashes checked; instant when nothing changed
	@scripts/setup

demo: setup ## a small company's record, asked as different people
	@$(BIN)/muniment demo

test: lint types ## style, types, import contracts, shape, then every test
	@$(BIN)/pytest -q tests/shape
	@$(BIN)/pytest -n $(WORKERS) tests

gate: setup ## what memory of incidents does to those who are on call: fails where it harms
	@$(BIN)/python -m evals replay

prove: setup ## every promise at its full size: hours
	@MUNIMENT_PROVE=1 $(BIN)/pytest -n $(WORKERS) tests

bench: setup ## speed and scale
	@$(BIN)/python -m benchmarks

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
