# SPDX-License-Identifier: GPL-2.0-or-later
# The variant of the program, its folder and its flags.

# The layers are small files; across them the compiler sees only at link time. That makes the program
# up to 6 % faster, an eighth larger, and a build take twice as long: it is for programs that are kept
# (install, STATIC=1) or measured (bench), not for one that is tried and changed, nor for a recorder, which
# is to be small. LTO= and LTO=-flto=auto say otherwise; clang, sanitizers and coverage never have it.
RELEASE_GOALS := release install install-strip bench
ifeq ($(RECORDER),)
LTO ?= $(if $(STATIC)$(filter $(RELEASE_GOALS),$(MAKECMDGOALS)),-flto=auto)
endif
LTO ?=
LINK_TIME := $(if $(findstring clang,$(CC))$(SANITIZE)$(COVERAGE),,$(LTO))
ifeq ($(origin AR),default)
AR := $(call tool,$(if $(LINK_TIME),gcc-)ar)
endif

# The folder's name has the compiler first and then a word for each thing that the variant has or lacks,
# such as gcc-without-libelf-lto.
comma := ,
space := $(subst ,, )
VARIANT := $(or $(TRIPLET),$(notdir $(firstword $(CC))))
VARIANT += $(if $(STATIC),static)
VARIANT += $(if $(STATIC)$(RECORDER),,$(if $(WITHOUT_LIBTRACECMD),without-libtracecmd))
VARIANT += $(subst $(comma), ,$(SANITIZE)) $(if $(COVERAGE),coverage)
VARIANT += $(if $(RECORDER),recorder,$(ASKED_WITHOUT))
ifeq ($(if $(RECORDER),,$(STATIC)),)
VARIANT += $(if $(LINK_TIME),lto)
else
VARIANT += $(if $(LTO),,without-lto)
endif
B := build/$(subst $(space),-,$(strip $(VARIANT)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wundef -Wswitch-enum -Wcast-qual -Wformat=2 -Wno-gnu-statement-expression
WARNINGS += $(if $(DEVELOPER),-Werror)
ifneq ($(findstring clang,$(CC)),)
WARNINGS += -Wno-gnu-statement-expression-from-macro-expansion -Wno-unknown-warning-option -Wno-gnu-auto-type
endif
# A recorder is optimised for size, without unreferenced functions and data. For a debugger that is to
# show variables: DEVELOPER=1, or CFLAGS.
ifeq ($(origin CFLAGS),undefined)
CFLAGS := $(if $(RECORDER),-Os,-O2) $(if $(DEVELOPER),-g,-g1)
# Code that runs once a command, and not for each event, is compiled with less effort. At link time all
# is optimised alike.
COLD := analysis clocks cmd compare export flight live machines present recorder reference sentences \
	symbolize words
ifeq ($(LINK_TIME)$(RECORDER),)
$(addsuffix /%.o,$(COLD:%=$(B)/src/%)): FT_CFLAGS += -O1
endif
endif

# CPPFLAGS, CFLAGS and LDFLAGS are the user's; these have them, too.
FT_CPPFLAGS := -D_GNU_SOURCE
# Files and times of 64 bits on machines of 32.
FT_CPPFLAGS += -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
FT_CPPFLAGS += $(if $(RECORDER),-DFTWAIT_RECORDER) $(if $(WITHOUT_LIBTRACEFS),-Isrc/recorder/plain)
FT_CPPFLAGS += $(if $(DEVELOPER)$(SANITIZE)$(COVERAGE),-DFTWAIT_CHECKED)
FT_CPPFLAGS += $(if $(STATIC),-DFTWAIT_STATIC)
FT_CPPFLAGS += $(if $(COVERAGE),-DFTWAIT_COVERAGE) -Iinclude -Isrc $(LIB_CFLAGS) $(CPPFLAGS)
FT_CFLAGS := -std=gnu11 $(CFLAGS) $(WARNINGS) -fno-strict-aliasing
FT_CFLAGS += $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
FT_CFLAGS += $(if $(COVERAGE),--coverage -O0)
# Test programs link the same objects without optimisation at link time, which is faster.
FT_CFLAGS += $(if $(LINK_TIME),$(LINK_TIME) -ffat-lto-objects)
FT_CFLAGS += $(if $(RECORDER),-ffunction-sections -fdata-sections)
FT_LDFLAGS := $(LDFLAGS) $(if $(STATIC),-static) $(if $(RECORDER),-Wl$(comma)--gc-sections)
FT_LDFLAGS += $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(if $(COVERAGE),--coverage)
