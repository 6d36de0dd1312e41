# SPDX-License-Identifier: GPL-2.0-or-later
# The libraries that the program is linked with. WITHOUT_LIBELF=1 builds it without libelf, WITHOUT_LIBELF=
# demands libelf, and if the variable is not set, the program has what this machine has. With STATIC=1 a
# library must be there as an archive. The variables for the others are like this one.
#
#   libtracefs                  finds tracefs, and needs libtraceevent; src/recorder/plain replaces the few
#                               functions that are used, if WITHOUT_LIBTRACEFS=1 is given
#   libtraceevent               the texts of events, src/raw; without it they are names and values
#   libtracecmd                 the reference reader, src/reference; Debian has no archive of it
#   libelf                      names functions of programs, in src/symbolize, with
#     liblzma                   what MiniDebugInfo is packed in
#     libiberty                 the names of C++ and Rust; it has no pkg-config
#
# RECORDER=1 needs none of them.

ifneq ($(RECORDER),)
WITHOUT_LIBTRACEFS ?= 1
WITHOUT_LIBTRACEEVENT := 1
WITHOUT_LIBTRACECMD := 1
WITHOUT_LIBELF := 1
WITHOUT_LIBLZMA := 1
WITHOUT_LIBIBERTY := 1
endif

# What was asked for is part of the variant's name, unlike what this machine lacks.
ASKED_WITHOUT := $(if $(WITHOUT_LIBTRACEFS),without-libtracefs) $(if $(WITHOUT_LIBELF),without-libelf)
ASKED_WITHOUT += $(if $(WITHOUT_LIBTRACEEVENT),without-libtraceevent)
ASKED_WITHOUT += $(if $(WITHOUT_LIBLZMA),without-liblzma) $(if $(WITHOUT_LIBIBERTY),without-libiberty)

# Each of these is 1 if it is so, else empty. LIBRARY is a name of pkg-config.
is_unknown = $(shell $(FIND) --exists $(1) 2> /dev/null || echo 1)
archives = $(wildcard $(TRIPLET:%=$(SYSROOT)/usr/lib/$(MULTIARCH)/$(1))) \
	$(filter /%,$(shell $(CC) -print-file-name=$(1) 2> /dev/null))
has_no_archive = $(if $(strip $(call archives,$(1))),,1)
is_missing = $(or $(call is_unknown,$(1)),$(if $(STATIC),$(call has_no_archive,$(1).a)))
# libelf.a of elfutils 0.192 links with nothing: it lacks what was moved out of libelf then (bug 32293).
static_libelf_fails = $(shell printf 'int main(void)\n{\n}\n' | $(CC) -static $(LDFLAGS) -x c - -o /dev/null \
	-Wl,-u,elf_begin -Wl,-u,elf_end $(shell $(FIND) --libs --static libelf) > /dev/null 2>&1 || echo 1)
demangle_h_fails = $(shell $(CC) $(CPPFLAGS) $(TRIPLET:%=-isystem $(SYSROOT)/usr/include) -E \
	-include libiberty/demangle.h -x c /dev/null > /dev/null 2>&1 || echo 1)

WITHOUT_LIBTRACEFS ?=
ifeq ($(origin WITHOUT_LIBTRACEEVENT),undefined)
WITHOUT_LIBTRACEEVENT := $(or $(WITHOUT_LIBTRACEFS),$(call is_missing,libtraceevent))
endif
ifeq ($(origin WITHOUT_LIBTRACECMD),undefined)
WITHOUT_LIBTRACECMD := $(or $(STATIC),$(call is_unknown,libtracecmd))
endif
ifeq ($(origin WITHOUT_LIBELF),undefined)
WITHOUT_LIBELF := $(or $(call is_missing,libelf),$(if $(STATIC),$(static_libelf_fails)))
endif
ifeq ($(origin WITHOUT_LIBLZMA),undefined)
WITHOUT_LIBLZMA := $(or $(WITHOUT_LIBELF),$(call is_missing,liblzma))
endif
ifeq ($(origin WITHOUT_LIBIBERTY),undefined)
WITHOUT_LIBIBERTY := $(or $(WITHOUT_LIBELF),$(call has_no_archive,libiberty.a),$(demangle_h_fails))
endif

# The name for pkg-config, and the Debian package.
DEPENDENCIES :=
ifeq ($(RECORDER),)
DEPENDENCIES += $(if $(WITHOUT_LIBTRACEFS),,libtracefs:libtracefs-dev)
DEPENDENCIES += $(if $(and $(WITHOUT_LIBTRACEFS),$(WITHOUT_LIBTRACEEVENT)),,\
	libtraceevent:libtraceevent-dev)
DEPENDENCIES += zlib:zlib1g-dev libzstd:libzstd-dev
DEPENDENCIES += $(if $(WITHOUT_LIBTRACECMD),,libtracecmd:libtracecmd-dev)
DEPENDENCIES += $(if $(WITHOUT_LIBELF),,libelf:libelf-dev)
DEPENDENCIES += $(if $(WITHOUT_LIBLZMA),,liblzma:liblzma-dev)
endif
TEST_DEPENDENCIES := $(if $(filter check check-all check-package unit,$(MAKECMDGOALS)),check:check)
name_of = $(firstword $(subst :, ,$(1)))
package_of = $(lastword $(subst :, ,$(1)))
LIBRARIES := $(foreach d,$(DEPENDENCIES),$(call name_of,$d))

# What a build lacks is said at once, and what brings it.
NO_BUILD_GOALS := clean lint help bootstrap demo uninstall dist packages-check
ifneq ($(filter-out $(NO_BUILD_GOALS),$(or $(MAKECMDGOALS),all)),)
ifeq ($(if $(LIBRARIES),$(shell command -v $(PKG_CONFIG)),none),)
$(error no $(PKG_CONFIG), which finds the libraries; on Debian: apt-get install pkg-config)
endif
ifeq ($(shell command -v $(firstword $(CC))),)
$(error no $(firstword $(CC)), the compiler; on Debian: contrib/bootstrap$(if $(TRIPLET), cross))
endif
is_there = $(shell $(FIND) --exists $(call name_of,$(1)) && echo 1)
lacking = $(foreach d,$(1),$(if $(call is_there,$d),,$(call package_of,$d)))
MISSING := $(strip $(call lacking,$(DEPENDENCIES) $(TEST_DEPENDENCIES)))
MISSING_HERE = missing libraries; on Debian: apt-get install $(MISSING)
MISSING_THERE = missing libraries of $(TRIPLET): $(MISSING); on Debian: contrib/cross-sysroot \
	$(TRIPLET) build/sysroot/$(TRIPLET)
$(if $(MISSING),$(error $(if $(TRIPLET),$(MISSING_THERE),$(MISSING_HERE))))
# -isystem: the warnings are for our code, not for the headers of others
LIB_CFLAGS := $(if $(LIBRARIES),$(patsubst -I%,-isystem %,$(shell $(FIND) --cflags $(LIBRARIES))))
LIB_LIBS := $(if $(LIBRARIES),$(shell $(FIND) --libs $(if $(STATIC),--static) $(LIBRARIES)))
LIB_LIBS += $(if $(WITHOUT_LIBIBERTY),,-liberty) -lm
endif
