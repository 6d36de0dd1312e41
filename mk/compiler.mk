# SPDX-License-Identifier: GPL-2.0-or-later
# The compiler and the tools that belong to it, of this machine or of another one.

# CROSS=arm-linux-gnueabihf: for a machine of that triplet, whose tools are CROSS-gcc and so on.
CROSS ?=
TRIPLET := $(CROSS:%-=%)
ifeq ($(origin CC),default)
CC := $(TRIPLET:%=%-)gcc
endif

# CROSS gives the prefix of the tools, else CC does if they exist: arm-linux-gcc-12 comes with
# arm-linux-strip, but musl-gcc has no musl-strip.
CC_PREFIX := $(shell printf '%s\n' $(CC) | sed -nE 's/^(.*-)(gcc|cc|clang)(-[0-9.]+)?$$/\1/p' | head -n 1)
cc_tool = $(if $(CC_PREFIX),$(shell command -v $(CC_PREFIX)$(1) > /dev/null && echo $(CC_PREFIX)$(1)))
tool = $(or $(TRIPLET:%=%-$(1)),$(cc_tool),$(1))
STRIP ?= $(call tool,strip)
# AR is set in variants.mk, as optimisation at link time needs another one. RANLIB is run only if it is
# set, as ar already writes the index of an archive.

# The libraries of another machine stand in SYSROOT, where contrib/cross-sysroot unpacks them; else
# where Debian installs those of a foreign architecture.
PKG_CONFIG ?= pkg-config
ifneq ($(TRIPLET),)
SYSROOT ?= $(wildcard $(CURDIR)/build/sysroot/$(TRIPLET))
MULTIARCH := $(or $(shell $(CC) -print-multiarch 2> /dev/null),$(TRIPLET))
PKG_CONFIG_SYSROOT_DIR ?= $(SYSROOT)
PKG_CONFIG_LIBDIR ?= $(SYSROOT)/usr/lib/$(MULTIARCH)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig
endif
# $(shell) does not see what is exported to recipes.
PKG_CONFIG_VARIABLES := PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
FIND := $(foreach v,$(PKG_CONFIG_VARIABLES),$(if $($v),$v='$($v)')) $(PKG_CONFIG)
