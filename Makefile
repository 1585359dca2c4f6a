# Everything below works on a fresh Debian with Python 3.11, a C++ compiler and make; once set up,
# without a network. `make demo` and `make test` do all their own set-up.

PYTHON ?= python3.11
MODEL ?= qwen2.5-coder-1.5b
ENCODER ?= all-MiniLM-L6-v2
TEST_MODEL ?= smollm2-135m
MULTILINGUAL ?= use-multilingual-v3
CORPUS ?= demo
DEMO_QUESTION ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEEPSEARCH := $(BIN)/deepsearch
RETRIEVAL := build/bench-retrieval
DEMO_TOPIC := $(BIN)/python -c "from pathlib import Path; from corpora.topics import load_topics; print(next(topic.text for topic in load_topics(Path('corpora/demo/topics.jsonl')) if topic.query_id == 'demo-03'))"

# llama.cpp is built for what this CPU names, and never for AMX: virtual machines advertise it and
# then trap on its tile instructions. GGML_NATIVE=OFF alone means AVX2.
CPU_FLAGS := $(shell grep -m1 '^flags' /proc/cpuinfo 2>/dev/null)
CMAKE_FLAGS := -DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF
ifneq ($(filter avx512f,$(CPU_FLAGS)),)
ifneq ($(filter avx512bw,$(CPU_FLAGS)),)
CMAKE_FLAGS += -DGGML_AVX512=ON
CMAKE_FLAGS += $(if $(filter avx512_vbmi avx512vbmi,$(CPU_FLAGS)),-DGGML_AVX512_VBMI=ON)
CMAKE_FLAGS += $(if $(filter avx512_vnni,$(CPU_FLAGS)),-DGGML_AVX512_VNNI=ON)
CMAKE_FLAGS += $(if $(filter avx512_bf16,$(CPU_FLAGS)),-DGGML_AVX512_BF16=ON)
endif
endif
ifeq ($(shell uname -m),x86_64)
ifeq ($(filter avx2,$(CPU_FLAGS)),)
CMAKE_FLAGS += -DGGML_AVX2=OFF -DGGML_BMI2=OFF
CMAKE_FLAGS += $(if $(filter avx,$(CPU_FLAGS)),,-DGGML_AVX=OFF)
CMAKE_FLAGS += $(if $(filter fma,$(CPU_FLAGS)),,-DGGML_FMA=OFF)
CMAKE_FLAGS += $(if $(filter f16c,$(CPU_FLAGS)),,-DGGML_F16C=OFF)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help setup models demo ingest index ask bench bench-retrieval bench-robust bench-kills test test-slow check clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  Variables: MODEL=$(MODEL) CORPUS=$(CORPUS) PYTHON=$(PYTHON)"

setup: $(READY) ## Create .venv and install everything (about 10 minutes the first time)

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not installed. Debian: apt-get install python3.11 python3.11-venv; or name another with make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11; name a newer one with make PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments. Debian: apt-get install python3.11-venv" >&2; exit 2; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || { echo "No C++ compiler; llama.cpp is built from source. Debian: apt-get install g++" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the pinned packages. llama-cpp-python is compiled for this CPU ($(strip $(CMAKE_FLAGS))):"
	@echo "that alone takes about 7 minutes on two cores, and is done once per machine."
	CMAKE_ARGS="$(strip $(CMAKE_FLAGS))" $(BIN)/python -m pip install --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --editable .
	@touch $(READY)

models: $(READY) ## Fetch MODEL and the encoders into models/ (1.25 GB; checked by SHA-256, resumable)
	$(DEEPSEARCH) models fetch $(MODEL) $(ENCODER) $(MULTILINGUAL)

demo: models ## Ask the shipped demo corpus a question, from nothing to a cited answer
	$(DEEPSEARCH) ingest demo
	$(DEEPSEARCH) index build --corpus demo
	$(DEEPSEARCH) ask "$${DEMO_QUESTION:-$$($(DEMO_TOPIC))}" --corpus demo --model $(MODEL) || { code=$$?; test $$code -eq 3 -o $$code -eq 4 || exit $$code; }
	@echo
	@echo "Next: make ask Q=\"your question\", or your own documents: make index ask CORPUS=/path/to/folder Q=\"...\""

ingest: $(READY) ## Read CORPUS (a shipped name or any folder) into build/
	$(DEEPSEARCH) ingest $(CORPUS)

index: ingest ## Build or bring up to date the index of CORPUS
	$(DEEPSEARCH) index build --corpus $(CORPUS)

ask: $(READY) ## Ask a question: make ask Q="..." CORPUS=demo
	@test -n "$$Q" || { echo 'Say what to ask: make ask Q="..."' >&2; exit 2; }
	$(DEEPSEARCH) ask "$$Q" --corpus $(CORPUS) --model $(MODEL)

export Q DEMO_QUESTION

bench: models ## Ask the known questions of CORPUS and measure the answers (takes a while)
	$(DEEPSEARCH) bench answers $(CORPUS) --model $(MODEL)

bench-retrieval: $(READY) ## Measure retrieval on the collections below DATA: table, plot, run files
	@test -d "$(DATA)" || { echo 'Say where the collections are: make bench-retrieval DATA=../shared/data' >&2; exit 2; }
	$(DEEPSEARCH) models fetch $(ENCODER) $(MULTILINGUAL)
	mkdir -p $(RETRIEVAL)
	$(DEEPSEARCH) bench retrieval $(DATA) --run-dir $(RETRIEVAL)/runs --out $(RETRIEVAL)/results.json
	test ! -d $(DATA)/xquad/zh || { $(DEEPSEARCH) bench retrieval $(DATA)/xquad/en --name xquad-en --queries $(DATA)/xquad/zh \
	    --encoder $(ENCODER) --encoder $(MULTILINGUAL) --run-dir $(RETRIEVAL)/runs --out $(RETRIEVAL)/zh-on-en.json; }
	$(DEEPSEARCH) bench table $(RETRIEVAL)/*.json > $(RETRIEVAL)/table.md
	$(DEEPSEARCH) bench plot $(RETRIEVAL)/*.json --out $(RETRIEVAL)/plot.svg

bench-robust: $(READY) ## Ingest 10,000 damaged files: nothing may break a run or an address (up to an hour)
	$(BIN)/python -m tests.bench.robust

bench-kills: $(READY) ## Kill ingest and index builds at random and at every lasting step (about an hour)
	$(BIN)/python -m tests.bench.kills

test: check ## Check, then run the tests (with a 135M model; needs no network once set up)
	$(DEEPSEARCH) models fetch $(TEST_MODEL) $(ENCODER) $(MULTILINGUAL)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: $(READY) ## Run the tests that take longer: hostile files, damaged files, kills
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

check: $(READY) ## Lint, format, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean: ## Remove build/ and caches; .venv and models/ stay
	rm -rf build .mypy_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
