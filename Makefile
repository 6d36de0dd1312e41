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
#   release mcp      builds what install takes; the server of contrib/mcp
#   install          into PREFIX=/usr/local below DESTDIR=; uninstall removes it
#   install-strip    the same, but the program stripped
#   clean dist       removes build/; makes a tarball of the last commit there
# Variables, also from the environment; build/ has a folder for each variant
#   CC=clang         the compiler; also CFLAGS, CPPFLAGS, LDFLAGS, AR, STRIP
#   DEVELOPER=1      warnings are errors; SANITIZE=address,undefined; COVERAGE=1
#   LTO=-flto=auto   optimises at link time, the default of release, install,
#                    bench and STATIC=1; LTO= does not
#   STATIC=1         needs no libraries to run; CROSS=TRIPLET: for another machine
#   RECORDER=1       a small program that only records; WITHOUT_LIBTRACEFS=1,
#   _LIBTRACECMD, _LIBTRACEEVENT, _LIBELF, _LIBLZMA, _LIBIBERTY, _MAN, _COMPLETION
#   V=1              shows the commands

# As many jobs as CPUs, unless -j says how many. Not with clean, which is first where it is named first.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS))$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# The file alone says it: build systems often have a variable of that name.
override VERSION := $(shell cat VERSION)
STATIC ?=
RECORDER ?=
DEVELOPER ?=
SANITIZE ?=
COVERAGE ?=
V ?=
Q := $(if $(V),,@)

# Each of them uses what those before it set.
include mk/compiler.mk mk/libraries.mk mk/variants.mk mk/sources.mk

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
	$(if $(TRIPLET)$(STATIC)$(RECORDER),,@mkdir -p build && ln -sfn $(abspath $@) build/ftwait)

# For agents: contrib/mcp/README. Not installed.
$(B)/ftwait-mcp: $(B)/contrib/mcp/ftwait-mcp.o $(B)/tests/json/json_reader.o $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_CFLAGS) $(FT_LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

$(B)/contrib/mcp/ftwait-mcp.o contrib/mcp/ftwait-mcp.c.syntax: FT_CPPFLAGS += -Itests

mcp: $(B)/ftwait-mcp $(B)/ftwait

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
SYNTAX := $(patsubst %,%.syntax,src/cmd/main.c contrib/mcp/ftwait-mcp.c $(SOURCES))

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
	$(Q)sh src/cmd/embed_topics.sh $(TOPIC_PAGES) > $@

$(B)/html_assets.o $(B)/help_text.o: %.o: %.c
	$(Q)$(CC) $(FT_CPPFLAGS) $(FT_CFLAGS) -MMD -MP -c -o $@ $<

include tests/tests.mk

clean:
	rm -rf build

# A reproducible tarball of the last commit.
DIST := ftwait-$(VERSION)

dist:
	@mkdir -p build
	$(Q)git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar \
		--prefix=$(DIST)/ -o build/$(DIST).tar HEAD
	$(Q)gzip -9nf build/$(DIST).tar
	@echo "  DIST    build/$(DIST).tar.gz"

include mk/install.mk

.PHONY: all help mcp release syntax $(SYNTAX) clean dist
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d) $(B)/src/cmd/main.d $(B)/contrib/mcp/ftwait-mcp.d
