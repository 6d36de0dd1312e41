# SPDX-License-Identifier: GPL-2.0-or-later
# Included by the top Makefile: everything that tests, lints and measures.

TEST_SOURCES := $(wildcard tests/unit/*.c tests/unit/*/*.c)
# the JSON reader of the tests checks what the JSON writer writes
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(B)/%.o) $(B)/tests/json/json_reader.o
CHECK_CFLAGS = $(shell $(FIND) --cflags check)
CHECK_LIBS = $(shell $(FIND) --libs check)

$(B)/tests/unit/%.o: FT_CPPFLAGS += $(CHECK_CFLAGS) -Itests/unit

# The builder needs base only, so that it builds whatever state the rest is in.
BASE_OBJECTS := $(filter $(B)/src/base/% $(B)/src/words/%,$(OBJECTS))
BUILDER_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter-out %/mktrace.c,$(wildcard tests/builder/*.c)))

UNIT_OBJECTS := $(TEST_OBJECTS) $(BUILDER_OBJECTS)

$(B)/unit: $(UNIT_OBJECTS) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(LIB_LIBS) -lpthread

unit: $(B)/unit
	$(B)/unit

$(B)/tests/%.o: FT_CPPFLAGS += -Itests

$(B)/mktrace: $(B)/tests/builder/mktrace.o $(BUILDER_OBJECTS) $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

mktrace: $(B)/mktrace

VECTOR_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard tests/vectors/*.c tests/json/*.c)) $(BUILDER_OBJECTS)

$(B)/vectors: $(VECTOR_OBJECTS) $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

vectors: $(B)/vectors $(B)/ftwait
	FTWAIT=$(B)/ftwait $(B)/vectors $(wildcard tests/vectors/*.vec)

$(B)/property: $(patsubst %.c,$(B)/%.o,$(wildcard tests/property/*.c)) $(BUILDER_OBJECTS) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

property: $(B)/property
	$(B)/property

$(B)/cuts: $(B)/tests/cuts/cuts.o $(BUILDER_OBJECTS) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

# A part is what oracles share; it has a header.
ORACLE_PARTS := $(patsubst %.h,%.c,$(wildcard tests/live/oracles/*.h))
ORACLE_SOURCES := $(filter-out $(ORACLE_PARTS),$(wildcard tests/live/oracles/*.c))
ORACLES := $(patsubst tests/live/oracles/%.c,%,$(ORACLE_SOURCES))
ORACLE_PROGRAMS := $(addprefix $(B)/tests/live/oracles/,$(ORACLES))

$(ORACLE_PROGRAMS): %: %.o $(ORACLE_PARTS:%.c=$(B)/%.o)
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ -lpthread

# What tests/live/quick.sh records; it reads this line, too.
LIVE_QUICK_ORACLES := sleeper mutex disk_read child_exit tcp_server
LIVE_QUICK_PROGRAMS := $(B)/ftwait $(B)/truth_check \
	$(addprefix $(B)/tests/live/oracles/,$(LIVE_QUICK_ORACLES))

live-quick: $(LIVE_QUICK_PROGRAMS)
	tests/live/quick.sh $(B)

.PHONY: live-quick

$(B)/truth_check: $(B)/tests/live/truth_check.o $(B)/tests/vectors/report_run.o \
		$(B)/tests/json/json_reader.o $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

$(B)/recordings: $(B)/tests/recordings/recordings.o $(B)/tests/vectors/report_run.o \
		$(B)/tests/vectors/aim_sums.o \
		$(B)/tests/json/json_reader.o $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

$(B)/mutants: $(patsubst %.c,$(B)/%.o,$(wildcard tests/mutants/*.c)) $(B)/tests/json/json_reader.o \
		$(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

$(B)/widths $(B)/threads: $(B)/%: $(B)/tests/recordings/%.o $(B)/tests/recordings/each_recording.o \
		$(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

# Makes the recordings of several machines of one with network namespaces.
$(B)/split-hosts: $(patsubst %.c,$(B)/%.o,$(wildcard tests/split/*.c)) $(BUILDER_OBJECTS) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

recordings: $(B)/recordings $(B)/widths $(B)/threads $(B)/ftwait
	tests/recordings/run.sh $(B)

$(B)/typist: $(B)/tests/completion/typist.o
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

$(B)/pty_run: $(patsubst %.c,$(B)/%.o,$(wildcard tests/pty/*.c)) $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

# Makes folders look like the tracing of an old kernel.
$(B)/fake_kernel.so: tests/oldkernels/fake_kernel.c
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) -fPIC -shared -o $@ $< -ldl

# Other machines, in emulation: all that tests/cross/run.sh knows, or MACHINES="s390x-linux-gnu ..."
cross-check: $(B)/ftwait $(B)/mktrace $(B)/vectors
	@tests/cross/run.sh $(B) $(MACHINES)

# Other kernels, in emulation: a set that fits into CI, KERNELS="6.1-arm64 ..." or KERNELS=all
check-boards: $(B)/ftwait
	@tests/boards/run.sh $(B) $(KERNELS)

# Another C library; MUSL=syntax: only what the compiler has to say of src/.
musl-check:
	@tests/musl/run.sh $(MUSL)

# Packages of other systems; PACKAGES="rpm debian": these.
packages-check:
	@tests/packages/run.sh $(PACKAGES)

# Queries over many recordings.
check-fleet: $(B)/ftwait
	@tests/fleet/run.sh $(B)

# A recorder alone.
reduced-check: $(B)/ftwait
	$(Q)$(MAKE) RECORDER=1 LTO= B=$(B)-only-records all
	@tests/reduced/recorder.sh $(B) $(B)-only-records

# The sizes of programs that INSTALL gives.
sizes-check:
	@tests/reduced/sizes.sh

bootstrap:
	contrib/bootstrap check

demo:
	contrib/demo

.PHONY: unit vectors property live recordings mktrace golden lint tidy bootstrap demo
.PHONY: cross-check musl-check reduced-check check-fleet check-boards packages-check sizes-check

# Runs a command on a terminal of its own.
$(B)/terminal: $(B)/tests/tools/terminal.o
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

golden: $(B)/ftwait $(B)/mktrace $(B)/terminal
	tests/golden/run.sh $(B) --rewrite

lint:
	@tests/lint/run.sh

# Of files that changed lately; TIDY=all: of all, TIDY=2/4: of the second of four parts.
tidy:
	@tests/tidy.sh $(TIDY)

live: $(B)/ftwait $(B)/truth_check $(B)/split-hosts $(ORACLE_PROGRAMS)
	tests/live/run.sh $(B)
	tests/live/record/run.sh $(B)
	tests/live/record/run.sh $(B) tests/live/machines

-include $(wildcard $(B)/tests/*/*.d $(B)/tests/*/*/*.d)

# Developer tools: `make tools`.
SOURCE_OBJECTS := $(filter $(B)/src/source/%,$(OBJECTS)) $(BASE_OBJECTS)

$(B)/datdump: $(B)/tests/tools/datdump.o $(filter $(B)/src/reference/%,$(OBJECTS)) $(SOURCE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(B)/knob: $(B)/tests/tools/knob.o
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ -lpthread

tools: $(B)/datdump $(B)/knob
.PHONY: tools

$(B)/growth_trace: $(B)/tests/bench/growth_trace.o $(BUILDER_OBJECTS) $(BASE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

# What others take who read by libtracecmd, where that is.
$(B)/tracecmd_loop: $(B)/tests/bench/tracecmd_loop.o
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(B)/splice_drain: $(B)/tests/bench/splice_drain.o
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^

bench: $(B)/ftwait $(B)/growth_trace $(B)/splice_drain $(if $(WITHOUT_LIBTRACECMD),,$(B)/tracecmd_loop)
	tests/bench/record_overhead.sh $(B)
	tests/bench/report_speed.sh $(B)
	tests/bench/growth.sh $(B)
	tests/bench/page_speed.sh $(B)/ftwait

# Fuzzing: `make fuzz-replay` runs the corpora, `make mutate` damages them at random, and
# `make fuzz` (clang) searches for new ones with libFuzzer: FUZZ_SECONDS of each target.
FUZZ_TARGETS := datfile perfetto live page machine unpack budget condition format
FUZZ_SECONDS ?= 60
FUZZ_INPUT := $(B)/tests/fuzz/fuzz_input.o

$(foreach t,datfile perfetto,$(B)/replay-$(t) $(B)/mutate-$(t)): $(B)/tests/fuzz/fuzz_source.o
$(B)/fuzz-datfile $(B)/fuzz-perfetto: tests/fuzz/fuzz_source.c

# What lies above the readers takes all of the library.
UPPER_TARGETS := live machine budget condition format

$(UPPER_TARGETS:%=$(B)/replay-%): $(B)/replay-%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay_main.o \
		$(FUZZ_INPUT) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

$(UPPER_TARGETS:%=$(B)/mutate-%): $(B)/mutate-%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/mutate_main.o \
		$(FUZZ_INPUT) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

$(B)/replay-%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay_main.o $(FUZZ_INPUT) $(SOURCE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(B)/mutate-%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/mutate_main.o $(FUZZ_INPUT) $(SOURCE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS)

FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(B)/replay-%) $(FUZZ_TARGETS:%=$(B)/mutate-%)

fuzz-replay: $(FUZZ_PROGRAMS)
	tests/fuzz/replay.sh $(B)

mutate: $(FUZZ_TARGETS:%=$(B)/mutate-%)
	$(foreach t,$(FUZZ_TARGETS),$(B)/mutate-$(t) fixtures/corpus/$(t) &&) true

$(B)/seed-corpus: $(B)/tests/fuzz/seed_corpus.o $(B)/tests/unit/source/trace_builder.o \
		$(B)/tests/unit/source/page_builder.o $(B)/tests/unit/source/packed_builder.o \
		$(SOURCE_OBJECTS)
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS)

# One input of `format`: build/gcc/seed-format RECORDING EVENT [FILTER] > fixtures/corpus/format/NAME
$(B)/seed-format: $(B)/tests/fuzz/seed_format.o $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

seed-corpus: $(B)/seed-corpus
	$< fixtures/corpus

NOT_OF_THE_MACHINE := $(addsuffix /%,$(addprefix src/,recorder cmd reference live flight))

$(B)/fuzz-machine $(B)/fuzz-budget: $(filter-out $(NOT_OF_THE_MACHINE),$(SOURCES)) $(B)/html_assets.c
$(B)/fuzz-live: src/merge/merger.c
$(B)/fuzz-format: $(filter src/raw/%,$(SOURCES)) $(wildcard src/decode/*.c src/merge/*.c src/catalog/*.c)
$(B)/fuzz-condition: src/flight/condition.c $(wildcard src/catalog/*.c)
FUZZ_READERS := $(wildcard $(patsubst %,src/%/*.c,source source/* base base/* words words/*))

$(B)/fuzz-%: tests/fuzz/fuzz_%.c $(filter-out %_absent.c,$(FUZZ_READERS))
	@mkdir -p $(@D) && echo "  FUZZ    $@"
	$(Q)clang $(FT_CPPFLAGS) -DFTWAIT_VERSION='"fuzz"' -Itests -std=gnu11 -g -O1 -fno-strict-aliasing \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $^ $(LIB_LIBS)

fuzz: $(FUZZ_TARGETS:%=$(B)/fuzz-%)
	$(foreach t,$(FUZZ_TARGETS),mkdir -p $(B)/found/$(t) && \
		$(B)/fuzz-$(t) -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 \
		-artifact_prefix=$(B)/found/ $(B)/found/$(t) fixtures/corpus/$(t) &&) true

.PHONY: bench fuzz fuzz-replay mutate seed-corpus

# The suites and the programs that they need are rows of tests/suites.txt. A target that runs suites
# depends on just those programs.
suites_in = $(shell awk -v set='$(1)' '/^[a-z]/ && "," $$2 "," ~ "," set "," { print $$1 }' tests/suites.txt)
programs_of = $(shell awk -v suites=' $(1) ' '/^[a-z]/ && suites ~ " " $$1 " " && $$4 != "-" { \
	gsub(",", " ", $$4); print $$4 }' tests/suites.txt)
files_of = $(if $(filter %_PROGRAMS,$(1)),$($(1)),$(B)/$(1))
needs = $(B)/ftwait $(foreach p,$(sort $(call programs_of,$(1))),$(call files_of,$(p)))
QUICK_SUITES := $(call suites_in,quick)
ALL_SUITES := $(call suites_in,all)
PACKAGE_SUITES := $(call suites_in,package)
SUITES ?= $(QUICK_SUITES)
NO_SUITES := $(filter-out $(QUICK_SUITES) $(ALL_SUITES),$(SUITES))
ifneq ($(NO_SUITES),)
$(error SUITES: there is no suite $(NO_SUITES); there are $(sort $(QUICK_SUITES) $(ALL_SUITES)))
endif

check: $(call needs,$(SUITES))
	@tests/run.sh $(B) $(SUITES)

check-all: $(call needs,$(ALL_SUITES))
	@tests/run.sh $(B) $(ALL_SUITES)

.PHONY: check check-all check-package

# What a package build can run: as any user, without network, tracing or git.
check-package: $(call needs,$(PACKAGE_SUITES))
	@CK_EXCLUDE_TAGS=kernel tests/run.sh $(B) $(PACKAGE_SUITES)
.SECONDARY:
