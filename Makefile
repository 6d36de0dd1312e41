# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: make [-jN] [TARGET...] [VARIABLE=VALUE...]
# Targets
#   all              build/ftwait (the default)
#   demo             builds, records a small workload and shows what it waited for
#   check            the quick tests; SUITES="unit golden": these (tests/README)
#   check-all        all tests; check-package: without root, network and tracing
#   golden           rewrites the expected output in tests/golden
#   lint tidy        checks of the source: our own scripts; clang-tidy
#   cross-check, check-boards   other MACHINES= and KERNELS= in qemu
#   bench fuzz       measures; searches for input that crashes it, FUZZ_SECONDS=60
#   bootstrap        installs the Debian packages that check needs; as root
#   release          builds what install takes, so that root need not compile
#   install          into PREFIX=/usr/local below DESTDIR=; uninstall removes it
#   install-strip    the same, but the program stripped
#   clean dist       removes build/; makes a tarball of the last commit there
# Variables, also from the environment; build/ has a folder for each variant
#   CC=clang         the compiler; also CFLAGS, CPPFLAGS, LDFLAGS, AR, STRIP
#   DEVELOPER=1      warnings are errors; SANITIZE=address,undefined; COVERAGE=1
#   LTO=-flto=auto   optimises at link time, the default of release, install,
#                    bench and STATIC=1; LTO= does not
#   STATIC=1         needs no libraries to run; CROSS=TRIPLET: for another machine
#   VIEWS="waits"    a smaller program, of these views; RECORDER=1: none
#   WITHOUT_HTML=1, _LIBTRACECMD, _LIBELF, _LIBLZMA, _LIBIBERTY, _MAN, _COMPLETION
#   V=1              shows the commands

# As many jobs as CPUs, unless -j says how many. Not with clean, which is first where it is named first.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS))$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# The file alone says it: build systems often have a variable of that name.
override VERSION := $(shell cat VERSION)
# Directories of install, below DESTDIR.
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/ftwait
BASHCOMPDIR ?= $(DATADIR)/bash-completion/completions
ZSHCOMPDIR ?= $(DATADIR)/zsh/site-functions
FISHCOMPDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
WITHOUT_MAN ?=
WITHOUT_COMPLETION ?=
DEVELOPER ?=
SANITIZE ?=
COVERAGE ?=
V ?=
# STATIC=1: a program that needs no libraries where it runs.
STATIC ?=
# VIEWS="waits chains": a smaller program, whose report has the summary and these alone.
VIEWS ?=
# RECORDER=1: a program that records and does nothing else. It needs no libraries.
RECORDER ?=
# WITHOUT_HTML=1: a program that writes no pages (--format html); so is one of some views.
WITHOUT_HTML ?= $(if $(VIEWS)$(RECORDER),1)
# CROSS=arm-linux-gnueabihf: for a machine of that triplet, whose tools are CROSS-gcc and so on.
CROSS ?=

comma := ,
define newline


endef
space := $(subst ,, )
TRIPLET := $(CROSS:%-=%)
ifeq ($(origin CC),default)
CC := $(TRIPLET:%=%-)gcc
endif
# The tools of the compiler: CROSS gives their prefix, else CC does if they exist: arm-linux-gcc-12 comes
# with arm-linux-strip, but musl-gcc has no musl-strip. RANLIB is run only if it is set, as ar already
# writes the index of an archive.
CC_PREFIX := $(if $(TRIPLET),,$(shell printf '%s\n' $(CC) | \
	sed -nE 's/^(.*-)(gcc|cc|clang)(-[0-9.]+)?$$/\1/p' | head -n 1))
tool = $(or $(TRIPLET:%=%-$(1)),$(if $(CC_PREFIX),$(shell command -v $(CC_PREFIX)$(1) > /dev/null && \
	echo $(CC_PREFIX)$(1))),$(1))
STRIP ?= $(call tool,strip)
Q := $(if $(V),,@)

PKG_CONFIG ?= pkg-config
# The libraries of another machine stand in SYSROOT, where contrib/cross-sysroot unpacks them; else
# where Debian installs those of a foreign architecture.
ifneq ($(TRIPLET),)
SYSROOT ?= $(wildcard $(CURDIR)/build/sysroot/$(TRIPLET))
MULTIARCH := $(or $(shell $(CC) -print-multiarch 2> /dev/null),$(TRIPLET))
PKG_CONFIG_SYSROOT_DIR ?= $(SYSROOT)
PKG_CONFIG_LIBDIR ?= $(SYSROOT)/usr/lib/$(MULTIARCH)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig
endif
# $(shell) does not see what is exported to recipes.
FIND := $(foreach v,PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR,$(if $($v),$v='$($v)')) $(PKG_CONFIG)
# libtracecmd is the reference reader's, src/reference, alone. Where it is not there the program is
# built without, as with WITHOUT_LIBTRACECMD=1 (WITHOUT_LIBTRACECMD= demands it), and with STATIC=1,
# because Debian has no libtracecmd.a.
# WITHOUT_LIBTRACEFS=1: src/capture/plain replaces the few functions that are used.
WITHOUT_LIBTRACEFS ?= $(if $(RECORDER),1)
ifneq ($(RECORDER),)
WITHOUT_LIBTRACECMD := 1
WITHOUT_LIBELF := 1
WITHOUT_LIBLZMA := 1
WITHOUT_LIBIBERTY := 1
endif
ifeq ($(origin WITHOUT_LIBTRACECMD),undefined)
WITHOUT_LIBTRACECMD := $(or $(STATIC),$(shell $(FIND) --exists libtracecmd 2> /dev/null || echo 1))
endif
# src/symbolize names functions of programs by libelf, where it is there (WITHOUT_LIBELF=1,
# WITHOUT_LIBELF= as above), with STATIC=1 as an archive. It unpacks what MiniDebugInfo is packed in
# by liblzma, and demangles by libiberty, which has no pkg-config; both may be missing, too.
DEMANDED := $(if $(RECORDER),-recorder,$(if $(WITHOUT_LIBTRACEFS),-without-libtracefs)$(if $(WITHOUT_LIBELF),-without-libelf)$(if $(WITHOUT_LIBLZMA),-without-liblzma)$(if \
	$(WITHOUT_LIBIBERTY),-without-libiberty))
archive = $(wildcard $(TRIPLET:%=$(SYSROOT)/usr/lib/$(MULTIARCH)/$(1)))$(filter /%,$(shell \
	$(CC) -print-file-name=$(1) 2> /dev/null))
lacks = $(if $(shell $(FIND) --exists $(1) 2> /dev/null || echo 1),1,$(if $(STATIC),$(if $(call archive,$(1).a),,1)))
# libelf.a of elfutils 0.192 links with nothing: it lacks what was moved out of libelf then (bug 32293).
static_libelf_fails = $(shell printf 'int main(void)\n{\n}\n' | $(CC) -static $(LDFLAGS) -x c - -o /dev/null \
	-Wl,-u,elf_begin -Wl,-u,elf_end $(shell $(FIND) --libs --static libelf) > /dev/null 2>&1 || echo 1)
ifeq ($(origin WITHOUT_LIBELF),undefined)
WITHOUT_LIBELF := $(or $(call lacks,libelf),$(if $(STATIC),$(static_libelf_fails)))
endif
ifeq ($(origin WITHOUT_LIBLZMA),undefined)
WITHOUT_LIBLZMA := $(or $(WITHOUT_LIBELF),$(call lacks,liblzma))
endif
ifeq ($(origin WITHOUT_LIBIBERTY),undefined)
WITHOUT_LIBIBERTY := $(or $(WITHOUT_LIBELF),$(if $(call archive,libiberty.a),$(shell \
	$(CC) $(CPPFLAGS) $(TRIPLET:%=-isystem $(SYSROOT)/usr/include) -E -include libiberty/demangle.h -x c /dev/null > /dev/null 2>&1 || echo 1),1))
endif
# the file of each view has its name
VIEW_SOURCES := $(wildcard src/views/*_analysis.c src/views/*/*_analysis.c)
NO_VIEWS := $(filter-out $(patsubst %_analysis.c,%,$(notdir $(VIEW_SOURCES))),$(subst \
	-,_,$(VIEWS)))
ifneq ($(NO_VIEWS),)
$(error VIEWS: there is no view $(NO_VIEWS); report --help names them all)
endif
# The layers are small files; across them the compiler sees only at link time. That makes the program
# up to 6 % faster, an eighth larger, and a build take twice as long: it is for programs that are kept
# (install, STATIC=1) or measured (bench), not for one that is tried and changed, nor for one that is
# to be small. LTO= and LTO=-flto=auto say otherwise; clang, sanitizers and coverage never have it.
# A program for little storage is optimised for size, without unreferenced functions and data.
COMPACT := $(RECORDER)$(VIEWS)
RELEASE_GOALS := release install install-strip bench
SMALL := $(VIEWS)$(WITHOUT_HTML)
KEPT := $(if $(SMALL),,$(STATIC))
LTO ?= $(if $(KEPT)$(if $(SMALL),,$(filter $(RELEASE_GOALS),$(MAKECMDGOALS))),-flto=auto)
LINK_TIME := $(if $(findstring clang,$(CC))$(SANITIZE)$(COVERAGE),,$(LTO))
VARIANT := $(or $(TRIPLET),$(notdir $(firstword $(CC))))$(if \
	$(STATIC),-static,$(if $(RECORDER),,$(if $(WITHOUT_LIBTRACECMD),-without-libtracecmd)))$(if \
	$(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(COVERAGE),-coverage)$(if \
	$(VIEWS),-with-$(subst $(space),-,$(strip $(VIEWS))),$(if $(WITHOUT_HTML),$(if $(RECORDER),,-without-html)))$(DEMANDED)$(if \
	$(KEPT),$(if $(LTO),,-without-lto),$(if $(LINK_TIME),-lto))
B := build/$(VARIANT)
# pkg-config name and the Debian package that has it
DEPENDENCIES := $(if $(RECORDER),,$(if $(WITHOUT_LIBTRACEFS),,libtracefs:libtracefs-dev libtraceevent:libtraceevent-dev) zlib:zlib1g-dev libzstd:libzstd-dev \
	$(if $(WITHOUT_LIBTRACECMD),,libtracecmd:libtracecmd-dev) $(if $(WITHOUT_LIBELF),,libelf:libelf-dev) \
	$(if $(WITHOUT_LIBLZMA),,liblzma:liblzma-dev))
LIBRARIES := $(foreach d,$(DEPENDENCIES),$(firstword $(subst :, ,$(d))))
TEST_DEPENDENCIES := check:check

NO_BUILD_GOALS := clean lint help bootstrap demo uninstall dist packages-check
ifneq ($(filter-out $(NO_BUILD_GOALS),$(or $(MAKECMDGOALS),all)),)
ifeq ($(if $(LIBRARIES),$(shell command -v $(PKG_CONFIG)),none),)
$(error no $(PKG_CONFIG), which finds the libraries; on Debian: apt-get install pkg-config)
endif
ifeq ($(shell command -v $(firstword $(CC))),)
$(error no $(firstword $(CC)), the compiler; on Debian: contrib/bootstrap$(if $(TRIPLET), cross))
endif
MISSING := $(foreach d,$(DEPENDENCIES) $(if $(filter check check-all check-package unit,$(MAKECMDGOALS)),$(TEST_DEPENDENCIES)),$(shell \
	$(FIND) --exists $(firstword $(subst :, ,$(d))) || echo $(lastword $(subst :, ,$(d)))))
ifneq ($(strip $(MISSING)),)
ifneq ($(TRIPLET),)
$(error missing libraries of $(TRIPLET): $(strip $(MISSING)); on Debian: contrib/cross-sysroot \
	$(TRIPLET) build/sysroot/$(TRIPLET))
endif
$(error missing libraries; on Debian: apt-get install $(strip $(MISSING)))
endif
# -isystem: the warnings are for our code, not for the headers of others
LIB_CFLAGS := $(if $(LIBRARIES),$(patsubst -I%,-isystem %,$(shell $(FIND) --cflags $(LIBRARIES))))
LIB_LIBS := $(if $(LIBRARIES),$(shell $(FIND) --libs $(if $(STATIC),--static) $(LIBRARIES))) \
	$(if $(WITHOUT_LIBIBERTY),,-liberty) -lm
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wundef -Wswitch-enum -Wcast-qual -Wformat=2 -Wno-gnu-statement-expression \
	$(if $(DEVELOPER),-Werror)
ifneq ($(findstring clang,$(CC)),)
WARNINGS += -Wno-gnu-statement-expression-from-macro-expansion -Wno-unknown-warning-option -Wno-gnu-auto-type
endif
CFLAGS ?= $(if $(COMPACT),-Os,-O2) -g
# Files and times of 64 bits on machines of 32.
FT_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 \
	$(if $(VIEWS),-DFTWAIT_SOME_VIEWS $(patsubst %,-DFTWAIT_VIEW_%,summary $(filter-out summary,$(subst -,_,$(VIEWS))))) \
	$(if $(RECORDER),-DFTWAIT_RECORDER) $(if $(WITHOUT_LIBTRACEFS),-Isrc/capture/plain) $(if $(WITHOUT_HTML),-DFTWAIT_WITHOUT_HTML) $(if $(COVERAGE),-DFTWAIT_COVERAGE) -Iinclude -Isrc $(LIB_CFLAGS) $(CPPFLAGS)
FT_CFLAGS := -std=gnu11 $(CFLAGS) $(WARNINGS) -fno-strict-aliasing \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
	$(if $(COVERAGE),--coverage -O0)
# Test programs link the same objects without optimisation at link time, which is faster.
FT_CFLAGS += $(LINK_TIME) $(if $(LINK_TIME),-ffat-lto-objects)
FT_CFLAGS += $(if $(COMPACT),-ffunction-sections -fdata-sections)
ifeq ($(origin AR),default)
AR := $(call tool,$(if $(LINK_TIME),gcc-)ar)
endif
FT_LDFLAGS := $(LDFLAGS) $(if $(STATIC),-static) $(if $(COMPACT),-Wl$(comma)--gc-sections) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) \
	$(if $(COVERAGE),--coverage)

# What a library is missing for is one file that says so.
ABSENT := $(if $(WITHOUT_LIBTRACECMD),src/reference/tracecmd_absent.c) $(if \
	$(WITHOUT_LIBELF),$(patsubst %,src/symbolize/%_absent.c,user_symbols kernel_image)) $(if \
	$(WITHOUT_LIBLZMA),src/symbolize/unxz_absent.c) $(if \
	$(WITHOUT_LIBIBERTY),src/symbolize/demangle_absent.c)
LEFT_OUT := $(if $(WITHOUT_LIBTRACECMD),$(wildcard src/reference/*.c)) $(if \
	$(WITHOUT_LIBELF),$(patsubst %,src/symbolize/%.c,user_symbols kernel_image elf_image \
	debug_file)) $(if \
	$(WITHOUT_LIBLZMA),src/symbolize/unxz.c) $(if $(WITHOUT_LIBIBERTY),src/symbolize/demangle.c)
LEFT_OUT += $(if $(RECORDER),$(addprefix src/source/,unpack.c unpack_stream.c) src/capture/drain/page_packer.c) \
	$(if $(WITHOUT_LIBTRACEFS),,$(wildcard src/capture/plain/*.c))
ABSENT += $(if $(RECORDER),$(addprefix src/,analysis/analysis_absent.c capture/drain/page_packer_absent.c \
	cmd/completion_absent.c cmd/flight_absent.c cmd/help_topics_absent.c source/unpack_absent.c))
# A recorder consists of these folders, and of single files of the layers above.
RECORDER_FILES := $(wildcard $(patsubst %,src/%/*.c,base words catalog source capture/* record)) $(addprefix \
	src/,present/json_writer.c present/text_fold.c $(addprefix cmd/,cleanup_command.c command_table.c commands.c doctor_command.c \
	help_command.c list_command.c memory_end.c option_help.c option_parser.c other_tools.c pager.c question_table.c \
	record_command.c record_run.c record_targets.c shell_word.c standard_output.c terminal.c))
SOURCES := $(if $(RECORDER),$(filter src/analysis/% src/capture/% src/cmd/% src/source/%,$(ABSENT)),$(ABSENT)) $(filter-out \
	src/cmd/main.c %_absent.c $(LEFT_OUT),$(if $(RECORDER),$(RECORDER_FILES),$(wildcard src/*/*.c src/*/*/*.c)))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(if $(RECORDER),,$(B)/html_assets.o $(B)/help_text.o)

all: $(B)/ftwait $(if $(STATIC),$(B)/ftwait.stripped)

# The head of this file.
help:
	@sed -n '/^# Usage/,/^$$/s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

# What install takes, made without installing it: root then compiles nothing.
release: all

$(B)/libftwait.a: $(OBJECTS)
	@rm -f $@
	@echo "  AR      $@"
	$(Q)$(AR) rcs $@ $(OBJECTS)
	$(if $(RANLIB),$(Q)$(RANLIB) $@)

$(B)/ftwait: $(B)/src/cmd/main.o $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_CFLAGS) $(FT_LDFLAGS) -o $@ $< $(B)/libftwait.a $(LIB_LIBS) -lpthread
	$(if $(TRIPLET)$(STATIC)$(WITHOUT_HTML),,@mkdir -p build && ln -sfn $(abspath $@) build/ftwait)

$(B)/ftwait.stripped: $(B)/ftwait
	$(Q)$(STRIP) -o $@ $<
	@wc -c < $@ | awk '{ printf "  SIZE    $@: %.2f MB\n", $$1 / 1e6 }'

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(FT_CPPFLAGS) $(FT_CFLAGS) -MMD -MP -c -o $@ $<

# Only version.c contains the version, and only it is compiled again when the version changes.
$(B)/src/base/version.o src/base/version.c.syntax: FT_CPPFLAGS += -DFTWAIT_VERSION='"$(VERSION)"'
$(B)/src/base/version.o: VERSION

# What the compiler has to say of all sources; no code is made, so of libraries the headers will do.
SYNTAX := $(patsubst %,%.syntax,src/cmd/main.c $(SOURCES))

$(SYNTAX): %.syntax: %
	$(Q)$(CC) $(FT_CPPFLAGS) $(FT_CFLAGS) -fsyntax-only $<

syntax: $(SYNTAX)

# The page that html_presenter.c writes, but for its data: the scripts as one, the last one starts.
PAGE_SCRIPTS := $(sort $(filter-out %/page.js,$(wildcard src/html/*.js))) src/html/page.js
PAGE_STYLES := src/html/page.css src/html/tables.css
PAGE_SHELLS := src/html/flow.html src/html/icicle.html

$(B)/html_assets.c: src/html/embed.sh $(PAGE_SCRIPTS) $(PAGE_STYLES) $(PAGE_SHELLS)
	@mkdir -p $(@D)
	@cat $(PAGE_SCRIPTS) > $(B)/page.js && cat $(PAGE_STYLES) > $(B)/page.css
	@echo "  PAGE    $@"
	$(Q)sh src/html/embed.sh $(B)/page.css $(B)/page.js $(PAGE_SHELLS) > $@

# What `ftwait help NAME` prints of the manual.
TOPIC_PAGES := man/ftwait-views.7 man/ftwait-record.1

$(B)/help_text.c: src/cmd/embed_topics.sh src/cmd/help_topics.awk $(TOPIC_PAGES)
	@mkdir -p $(@D)
	@echo "  HELP    $@"
	$(Q)sh src/cmd/embed_topics.sh "$(if $(VIEWS),summary $(subst _,-,$(VIEWS)))" $(TOPIC_PAGES) > $@

$(B)/html_assets.o $(B)/help_text.o: %.o: %.c
	$(Q)$(CC) $(FT_CPPFLAGS) $(FT_CFLAGS) -MMD -MP -c -o $@ $<

include tests/tests.mk

clean:
	rm -rf build

# A reproducible tarball of the last commit.
DIST := ftwait-$(VERSION)

dist:
	@mkdir -p build
	$(Q)git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=$(DIST)/ -o build/$(DIST).tar HEAD
	$(Q)gzip -9nf build/$(DIST).tar
	@echo "  DIST    build/$(DIST).tar.gz"

# What is installed: FILE:PLACE:MODE.
MAN_PLACES := $(if $(WITHOUT_MAN),,$(foreach m,$(wildcard man/*.[1-8]),$(m):$(MANDIR)/man$(lastword \
	$(subst ., ,$(m)))/$(notdir $(m)):644))
# The recordings that README, ftwait-tutorial(7) and ftwait-views(7) report.
EXAMPLE_PLACES := $(foreach e,fixtures/demo.dat $(wildcard fixtures/tutorial_*.dat fixtures/three/*.dat.zst),\
	$(e):$(DOCDIR)/examples/$(e:fixtures/%=%):644)
COMPLETION_PLACES := $(if $(WITHOUT_COMPLETION),,contrib/ftwait.bash:$(BASHCOMPDIR)/ftwait:644 \
	contrib/_ftwait:$(ZSHCOMPDIR)/_ftwait:644 contrib/ftwait.fish:$(FISHCOMPDIR)/ftwait.fish:644)
PROGRAM := $(B)/ftwait$(if $(filter install-strip,$(MAKECMDGOALS)),.stripped)
INSTALLED := $(PROGRAM):$(BINDIR)/ftwait:755 $(MAN_PLACES) $(if $(WITHOUT_MAN),,$(EXAMPLE_PLACES)) $(COMPLETION_PLACES)
PLACES := $(foreach i,$(INSTALLED),$(word 2,$(subst :, ,$(i))))
# The folders that are ours alone to make; of others uninstall leaves them, empty or not, but in a
# DESTDIR, which has nothing else.
OWN_FOLDERS := $(BASHCOMPDIR) $(dir $(BASHCOMPDIR)) $(ZSHCOMPDIR) $(dir $(ZSHCOMPDIR)) $(FISHCOMPDIR) \
	$(dir $(FISHCOMPDIR)) $(DOCDIR)/examples/three $(DOCDIR)/examples $(DOCDIR)

install-strip: $(PROGRAM)
install install-strip: all
	$(foreach i,$(INSTALLED),$(INSTALL) -D -m $(word 3,$(subst :, ,$(i))) $(firstword $(subst :, ,$(i))) \
		"$(DESTDIR)$(word 2,$(subst :, ,$(i)))"$(newline))

uninstall:
	$(foreach p,$(PLACES),rm -f "$(DESTDIR)$(p)"$(newline))
	@$(if $(DESTDIR),cd "$(DESTDIR)" 2> /dev/null && rmdir -p $(patsubst /%,%,$(sort $(dir $(PLACES)))),for \
		folder in $(OWN_FOLDERS); do rmdir $$folder; done) 2> /dev/null || true

.PHONY: all help release syntax $(SYNTAX) clean dist install install-strip uninstall check unit lint demo bench golden fuzz-replay
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d) $(B)/src/cmd/main.d
