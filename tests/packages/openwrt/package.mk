# SPDX-License-Identifier: GPL-2.0-or-later
# A stand-in for OpenWrt's package.mk and package-defaults.mk: what contrib/openwrt/Makefile needs of them.
# BUILD_VARIANT: the package to build; PKG_BUILD_DIR: the source; OUT: where to install.
PKG_INSTALL_DIR := $(PKG_BUILD_DIR)/ipkg-install
MAKE_FLAGS = $(TARGET_CONFIGURE_OPTS)
MAKE_INSTALL_FLAGS = $(MAKE_FLAGS) DESTDIR="$(PKG_INSTALL_DIR)"

# only the package of the variant
define BuildPackage
$(eval $(Package/$(1)))
ifeq ($(VARIANT),$(BUILD_VARIANT))
$(1):
	$(MAKE_VARS) $(MAKE) -C $(PKG_BUILD_DIR) $(MAKE_FLAGS)
	$(MAKE_VARS) $(MAKE) -C $(PKG_BUILD_DIR) $(MAKE_INSTALL_FLAGS) install
	$(call Package/$(1)/install,$(OUT))
endif
endef
