# SPDX-License-Identifier: GPL-2.0-or-later
# A stand-in for OpenWrt's rules.mk: the variables that contrib/openwrt/Makefile uses.
INCLUDE_DIR := $(TOPDIR)
INSTALL_DIR := install -d -m0755
INSTALL_BIN := install -m0755
TARGET_CROSS := $(TRIPLET)-
TARGET_CONFIGURE_OPTS := AR="$(TRIPLET)-gcc-ar" CC="$(TRIPLET)-gcc" LD="$(TRIPLET)-ld" NM="$(TRIPLET)-gcc-nm" \
	RANLIB="$(TRIPLET)-gcc-ranlib" STRIP="$(TRIPLET)-strip" CROSS="$(TARGET_CROSS)" ARCH="arm"
MAKE_VARS := CFLAGS="-Os -pipe" CPPFLAGS="" LDFLAGS="" PKG_CONFIG_SYSROOT_DIR="$(SYSROOT)" \
	PKG_CONFIG_LIBDIR="$(PKG_CONFIG_LIBDIR)"
