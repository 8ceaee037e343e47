# leakgraph: finds what datasets of code share.
#
#   make              build/leakgraph
#   make demo         installs what is missing, builds, runs pipeline.yaml on two ranks and scores the result
#   make test         installs what is missing, builds, runs the tests
#   make tests        builds the test programs
#   make check-fast   within a minute: floors, line lengths, unit tests, fuzz corpora, some of the commands
#   make check        all of that, and every other test but the long ones (tests/run --rest)
#   make check-full   within an hour: also long random rounds, every kernel level, clang, sanitizers, fuzzing
#   make fuzz         60 seconds of each fuzz target (FUZZ_SECONDS=)
#   make bench        speeds on about 1.2 GB of source text from Debian packages, into results/bench
#   make evaluate     what each rule finds of functions that are planted and changed, into results/evaluate
#   make experiment-leak  models trained with and without a benchmark: what every metric says, into results/leak
#   make docs         docs/graph.db.md and docs/pipeline.yaml.md, as the program prints them
#   make install      below PREFIX=/usr/local (DESTDIR= before it): the program, manual pages, completion, documents;
#                     llama.cpp's libraries, where node_modules has them, into lib/leakgraph (LLAMA_PREFIX= leaves them
#                     out, a LLAMA_PREFIX of yours stays where it is); needs nothing of this folder then
#   make uninstall    takes away what make install put there
#   make deb          the same as a Debian package, build/leakgraph_VERSION_ARCHITECTURE.deb
#   make clean        removes what was built
#   make help         this text
#
# CC=clang builds with clang; SAN=address or SAN=thread builds into build-asan or build-tsan; V=1 shows the commands.

VERSION := 0.1.0

CC     ?= cc
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
PKG_CONFIG ?= pkg-config

# ---- what the machine has ------------------------------------------------------------------------------------------

packages := libzstd libarchive yaml-0.1 sqlite3 libcjson zlib liblz4 liblzma libbrotlidec
target   := $(shell $(CC) -dumpmachine 2>/dev/null)
have_isal := $(shell printf '\043include <isa-l/igzip_lib.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)

# Open MPI ships a pkg-config file; any other MPI is asked through its wrapper.
MPI_CFLAGS ?= $(shell $(PKG_CONFIG) --cflags ompi-c 2>/dev/null || mpicc --showme:compile 2>/dev/null)
MPI_LIBS   ?= $(shell $(PKG_CONFIG) --libs ompi-c 2>/dev/null || mpicc --showme:link 2>/dev/null)

# Headers of others are no place for our warnings: -isystem silences them.
# libcurl is loaded when a server is asked (model/http_curl.h): its headers alone are needed here.
include_flags := $(patsubst -I%,-isystem %, \
    $(shell $(PKG_CONFIG) --cflags $(packages) libcurl 2>/dev/null) $(MPI_CFLAGS))
LIBS := $(shell $(PKG_CONFIG) --libs $(packages) 2>/dev/null) $(MPI_LIBS) -lbz2 -lpthread -lm -ldl
ifeq ($(have_isal),yes)
include_flags += -DHAVE_ISAL
LIBS += -lisal
endif

# libsvm learns support vector machines; it has no pkg-config file.
ifeq ($(shell printf '\043include <libsvm/svm.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes),yes)
svm_flags := -DHAVE_SVM
LIBS += -lsvm
endif

# llama.cpp: where LLAMA_PREFIX says, else as pkg-config knows it, else as scripts/llama_prefix.sh made it;
# LLAMA_PREFIX= leaves it out.  Its threads mean nothing to ThreadSanitizer.
ifneq ($(SAN),thread)
ifeq ($(origin LLAMA_PREFIX),undefined)
llama_flags := $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags llama 2>/dev/null))
llama_libs  := $(shell $(PKG_CONFIG) --libs llama 2>/dev/null)
ifeq ($(llama_libs),)
LLAMA_PREFIX := $(patsubst %/include/llama.h,%,$(wildcard $(CURDIR)/node_modules/.llama/include/llama.h))
endif
endif
ifneq ($(LLAMA_PREFIX),)
llama_flags := -isystem $(LLAMA_PREFIX)/include
llama_libs  := -L$(LLAMA_PREFIX)/lib -lllama -lggml -lggml-base -Wl,-rpath,$(abspath $(LLAMA_PREFIX))/lib
endif
endif
ifneq ($(llama_libs),)
llama_flags += -DHAVE_LLAMA
LIBS += $(llama_libs)
endif

# tree-sitter: where TREE_PREFIX says, else as scripts/tree_library.sh made it; TREE_PREFIX= leaves it out.
TREE_PREFIX ?= $(patsubst %/lib/libtree.a,%,$(wildcard $(CURDIR)/node_modules/.tree/lib/libtree.a))
ifneq ($(TREE_PREFIX),)
tree_flags := -isystem $(TREE_PREFIX)/include -DHAVE_TREE
LIBS += $(TREE_PREFIX)/lib/libtree.a
endif

# ---- flags ---------------------------------------------------------------------------------------------------------

OPTIMIZE := -O3 -g
SANITIZE :=
BUILD    ?= build
ifeq ($(SAN),address)
BUILD    := build-asan
OPTIMIZE := -O1 -g -fno-omit-frame-pointer
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
else ifeq ($(SAN),thread)
BUILD    := build-tsan
OPTIMIZE := -O1 -g -fno-omit-frame-pointer
SANITIZE := -fsanitize=thread
else ifneq ($(SAN),)
$(error SAN is address or thread, not `$(SAN)')
endif

# -ffp-contract=off: a fused multiply-add would give other bits on other machines.
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Werror
CFLAGS   := -std=c11 -D_GNU_SOURCE $(OPTIMIZE) -fopenmp $(WARNINGS) -ffp-contract=off $(SANITIZE) $(EXTRA_CFLAGS)
CPPFLAGS := -Ipipeline -I. $(include_flags)
# --as-needed: a program loads what it calls; the tests call little of it.
LDFLAGS  := -fopenmp -Wl,--as-needed $(SANITIZE) $(EXTRA_LDFLAGS)

# Only the files of one instruction set may use it; everything else runs on any x86-64.  Elsewhere they are empty.
ifneq ($(filter x86_64%,$(target)),)
flags_avx2   := -mavx2 -mbmi -mbmi2 -mlzcnt -mpclmul
flags_avx512 := -mavx512f -mavx512bw -mavx512vl -mavx512vbmi -mavx512vbmi2 -mavx512dq -mbmi -mbmi2 -mlzcnt -mpclmul
endif
isa_flags = $(if $(filter %_avx2.c,$<),$(flags_avx2))$(if $(filter %_avx512.c,$<),$(flags_avx512))

# ---- the program ---------------------------------------------------------------------------------------------------

sources := $(sort $(wildcard pipeline/*/*.c) $(wildcard kernels/*.c))
objects := $(sources:%.c=$(BUILD)/obj/%.o)
main    := $(BUILD)/obj/pipeline/cmd/main.o
library := $(BUILD)/libleakgraph.a

.PHONY: all demo test tests docs check-text check-fast check check-full evaluate fuzz bench experiment-leak setup \
	install uninstall deb clean help packages print-libs FORCE
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(BUILD)/leakgraph

# Says which packages are missing instead of letting the compiler stumble over a header.
packages:
	@scripts/setup.sh --check

# say: a short line instead of the command, unless V=1.
say = $(if $(V),,@echo '  $(1)  $(2)';)

$(BUILD)/leakgraph: $(main) $(library)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(library): $(filter-out $(main),$(objects))
	@rm -f $@
	$(call say,AR  ,$@)ar rcs $@ $^

$(BUILD)/obj/%.o: %.c Makefile | packages
	@mkdir -p $(@D)
	$(call say,CC  ,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(isa_flags) $(file_flags) -MMD -MP -c -o $@ $<

# Version and commit reach one small file, so that a new commit compiles one file.
$(BUILD)/obj/pipeline/cmd/version.o: $(BUILD)/commit
$(BUILD)/obj/pipeline/cmd/version.o: file_flags = \
	-DLEAKGRAPH_VERSION='"$(VERSION)"' -DLEAKGRAPH_COMMIT='"$(shell cat $(BUILD)/commit 2>/dev/null)"'

# The page's style and script are in the program as they are in their files.
$(BUILD)/obj/pipeline/page/assets.o: $(wildcard pipeline/page/*.css pipeline/page/*.js)

# What llama.cpp, tree-sitter and libsvm are built with reaches a few files; they are built again when that changes.
llama_objects := $(BUILD)/obj/pipeline/model/model_llama.o $(BUILD)/obj/pipeline/model/llama_apart.o
$(llama_objects): file_flags = $(llama_flags)
$(llama_objects): $(BUILD)/llama

tree_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard pipeline/code/function_tree*.c))
$(tree_objects): file_flags = $(tree_flags)
$(tree_objects): $(BUILD)/tree

svm_object := $(BUILD)/obj/pipeline/learn/svm_fit.o
$(svm_object): file_flags = $(svm_flags)
$(svm_object): $(BUILD)/svm

$(BUILD)/llama $(BUILD)/tree $(BUILD)/svm: now = $($(@F)_flags) $(and $(filter tree,$(@F)),$(tree_pins))
tree_pins = $(if $(TREE_PREFIX),$(shell cksum < $(TREE_PREFIX)/lib/libtree.a))
$(BUILD)/llama $(BUILD)/tree $(BUILD)/svm: FORCE
	@mkdir -p $(@D)
	@test "$(now)" = "$$(cat $@ 2>/dev/null)" || echo "$(now)" > $@

$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@now=$$(git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown); \
	 test "$$now" = "$$(cat $@ 2>/dev/null)" || echo "$$now" > $@
FORCE:

# ---- tests ---------------------------------------------------------------------------------------------------------

# Unit tests stand where the module stands that they test (tests/unit/ROOM/MODULE.c), each with a main of its own; they
# are linked into one program, `unit ROOM/MODULE`, because linking two hundred takes longer than running them.
# A test that puts functions of its own in the place of the library's cannot share a program with others.
units_alone := tests/unit/model/http_curl.c tests/unit/probe/probe.c
units    := $(filter-out $(units_alone),$(sort $(wildcard tests/unit/*/*.c)))
unit_objects := $(units:%.c=$(BUILD)/obj/%.o)

folders  := property mpi data
in_folders := $(foreach folder,$(folders),$(patsubst tests/$(folder)/%.c,%,$(wildcard tests/$(folder)/*.c)))
programs := $(BUILD)/tests/unit $(units_alone:tests/unit/%.c=$(BUILD)/tests/alone/%) $(in_folders:%=$(BUILD)/tests/%)
replays  := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
benches  := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

test_flags = -Itests -DTEST_DIR='"tests"'
link_test = $(call say,TEST,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(test_flags) -MMD -MP -MF $@.d -MT $@ $(LDFLAGS) -o $@ \
	$(filter %.c,$^) $(library)

unit_main = unit_$(subst /,_,$(patsubst tests/unit/%.c,%,$(1)))

$(BUILD)/obj/tests/unit/%.o: tests/unit/%.c Makefile | packages
	@mkdir -p $(@D)
	$(call say,TEST,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(test_flags) -Dmain=$(call unit_main,$<) -MMD -MP -c -o $@ $<

$(BUILD)/tests/units.h: $(units) Makefile
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach unit,$(units),'UNIT($(patsubst tests/unit/%.c,%,$(unit)), $(call unit_main,$(unit)))') > $@

$(BUILD)/tests/unit: tests/unit/main.c $(unit_objects) $(BUILD)/tests/units.h $(library)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(CFLAGS) -I$(BUILD)/tests $(LDFLAGS) -o $@ $< $(unit_objects) $(library) \
		-lcmocka $(LIBS)

$(BUILD)/tests/alone/%: tests/unit/%.c $(library)
	@mkdir -p $(@D)
	$(link_test) -lcmocka $(LIBS)

define folder_rule
$(BUILD)/tests/%: tests/$(1)/%.c $(library)
	@mkdir -p $$(@D)
	$$(link_test) -lcmocka $$(LIBS)
endef
$(foreach folder,$(folders),$(eval $(call folder_rule,$(folder))))

# The lexer once more, in whose place each step is counted (tests/counted.h).
counted := $(patsubst %.c,$(BUILD)/counted/%.o,$(wildcard pipeline/code/*.c))

$(BUILD)/counted/%.o: %.c tests/counted.h Makefile | packages
	@mkdir -p $(@D)
	$(call say,CC  ,$<)$(CC) $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -O2 -g $(WARNINGS) -fsanitize-coverage=trace-pc \
		-include tests/counted.h -MMD -MP -c -o $@ $<

$(BUILD)/tests/test_linear: tests/property/test_linear.c $(counted) $(library)
	@mkdir -p $(@D)
	$(call say,TEST,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(test_flags) -MMD -MP -MF $@.d -MT $@ $(LDFLAGS) -o $@ \
		$< $(counted) $(library) $(LIBS)

$(BUILD)/bench/%: tests/bench/%.c $(library)
	@mkdir -p $(@D)
	$(link_test) $(LIBS)

# A fuzz target with a main that replays its committed corpus: part of every test run.
$(BUILD)/tests/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(library)
	@mkdir -p $(@D)
	$(link_test) $(LIBS)

# The worked example of a capability: its folder, and the table with one line more.
example := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard docs/examples/capability/*/*.c)) $(BUILD)/example/capabilities.o
$(filter $(BUILD)/obj/docs/%,$(example)): file_flags = -Idocs/examples/capability

$(BUILD)/example/capabilities.c: pipeline/config/capabilities.c
	@mkdir -p $(@D)
	@sed 's/^    CAPABILITY(clean)$$/    CAPABILITY(clean) \\\n    CAPABILITY(marked)/' $< > $@

$(BUILD)/example/capabilities.o: $(BUILD)/example/capabilities.c
	$(call say,CC  ,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/leakgraph-marked: $(main) $(example) $(library)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# The program, in which a step of a capability fails on one rank.
$(BUILD)/tests/leakgraph-steps: tests/fault/steps.c $(main) $(library)
	@mkdir -p $(@D)
	$(call say,TEST,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -MT $@ $(LDFLAGS) -o $@ \
		$(filter-out %.h,$^) $(LIBS)

$(BUILD)/tests/inject.so: tests/fault/inject.c | packages
	@mkdir -p $(@D)
	$(call say,TEST,$<)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARNINGS) -shared -fPIC -o $@ $< -ldl

tests: $(BUILD)/leakgraph $(programs) $(replays) $(BUILD)/tests/inject.so $(BUILD)/tests/leakgraph-marked \
	$(BUILD)/tests/leakgraph-steps $(BUILD)/bench/make_corpus $(BUILD)/bench/lm $(BUILD)/installed/leakgraph

# What needs no test program.
check-text:
	scripts/layers.sh
	scripts/line_length.sh
	scripts/unit_tests.sh

check-fast: tests check-text
	tests/run --build $(BUILD) unit/ fuzz/ $(addprefix cli/,docs gates generate independence overlap probe resume usage)

check: tests check-text
	tests/run --build $(BUILD)

check-full:
	scripts/check_full.sh

fuzz:
	scripts/fuzz.sh

print-libs:
	@echo $(LIBS)

# ---- the two commands of the README --------------------------------------------------------------------------------

# After the set-up make starts again: what pkg-config answers may have changed.  All cores, unless -j said otherwise.
again = +@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

setup:
	@scripts/setup.sh

demo: setup
	@PYTHON=$(PYTHON) CC="$(CC)" scripts/tree_library.sh || [ $$? = 77 ]
	$(again) all
	@PYTHON=$(PYTHON) scripts/demo.sh $(BUILD)

test: setup
	@PYTHON=$(PYTHON) scripts/llama_prefix.sh || [ $$? = 77 ]
	@PYTHON=$(PYTHON) CC="$(CC)" scripts/tree_library.sh || [ $$? = 77 ]
	@PYTHON=$(PYTHON) scripts/npm_packages.sh readers node_modules/.readers || [ $$? = 77 ]
	$(again) tests
	@$(MAKE) --no-print-directory check

experiment-leak: setup
	$(again) all
	@PYTHON=$(PYTHON) scripts/leak_experiment.sh $(BUILD)

evaluate: setup
	$(again) all
	@PYTHON=$(PYTHON) scripts/evaluate.sh

bench: setup
	$(again) all $(benches)
	@PYTHON=$(PYTHON) scripts/bench.sh $(BUILD)

# ---- installing ----------------------------------------------------------------------------------------------------

PREFIX  ?= /usr/local
DESTDIR ?=

# The program once more, which finds llama.cpp's libraries beside itself instead of in this folder.
bundled := $(filter $(CURDIR)/node_modules/.llama,$(LLAMA_PREFIX))
parts    = $(bundled) $(TREE_PREFIX)
comma   := ,
rpath    = -Wl$(comma)-rpath$(comma)
installed_libs = $(if $(bundled),$(subst $(rpath)$(bundled)/lib,$(rpath)'$$ORIGIN/../lib/leakgraph',$(LIBS)),$(LIBS))

$(BUILD)/installed/leakgraph: $(main) $(library) Makefile
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $(main) $(library) $(installed_libs)

install: all $(BUILD)/installed/leakgraph
	@scripts/install.sh $(BUILD)/installed/leakgraph '$(DESTDIR)$(PREFIX)' $(parts)

uninstall:
	@scripts/install.sh --remove '$(DESTDIR)$(PREFIX)'

deb: all $(BUILD)/installed/leakgraph
	@scripts/deb.sh $(BUILD) $(VERSION) $(parts)

help:
	@sed -n '3,/^$$/s/^# \{0,1\}//p' Makefile

docs: all
	scripts/docs.sh $(BUILD)/leakgraph docs

clean:
	rm -rf build build-asan build-tsan build-clang build-fuzz

-include $(objects:.o=.d) $(counted:.o=.d) $(example:.o=.d) \
	$(unit_objects:.o=.d) $(addsuffix .d,$(programs) $(replays) $(benches) \
	$(BUILD)/tests/leakgraph-steps)
