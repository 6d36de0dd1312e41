# SPDX-License-Identifier: GPL-2.0-or-later
# A stand-in for Buildroot: the variables and macros of its package/Makefile.in and pkg-generic.mk that
# contrib/buildroot/ftwait.mk uses. TREE: the source; TARGET_DIR: where to install.
BR2_EXTERNAL_FTWAIT_PATH := $(TREE)/contrib/buildroot
TARGET_MAKE_ENV := PATH="$(PATH)" PKG_CONFIG_SYSROOT_DIR="$(SYSROOT)" PKG_CONFIG_LIBDIR="$(PKG_CONFIG_LIBDIR)"
TARGET_CONFIGURE_OPTS := AR="$(TRIPLET)-gcc-ar" AS="$(TRIPLET)-as" LD="$(TRIPLET)-ld" NM="$(TRIPLET)-gcc-nm" \
	CC="$(TRIPLET)-gcc" GCC="$(TRIPLET)-gcc" RANLIB="$(TRIPLET)-gcc-ranlib" STRIP="$(TRIPLET)-strip" \
	PKG_CONFIG="pkg-config" CPPFLAGS="-D_LARGEFILE_SOURCE -D_LARGEFILE64_SOURCE" CFLAGS="-Os -g0" LDFLAGS=""
qstrip = $(strip $(subst ",,$(1)))

define generic-package
$(TREE)/.built:
	$$(FTWAIT_BUILD_CMDS)
	touch $$@
$(TREE)/.installed: $(TREE)/.built
	$$(FTWAIT_INSTALL_TARGET_CMDS)
.PHONY: $(TREE)/.installed
endef

include $(BR2_EXTERNAL_FTWAIT_PATH)/external.mk
.DEFAULT_GOAL := $(TREE)/.installed
