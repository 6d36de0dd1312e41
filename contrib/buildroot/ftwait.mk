# SPDX-License-Identifier: GPL-2.0-or-later
################################################################################
#
# ftwait
#
################################################################################

# An external tree, which builds the source tree that it is in:
#	make BR2_EXTERNAL=/path/to/ftwait/contrib/buildroot menuconfig
FTWAIT_VERSION = 1.1.0
FTWAIT_SITE = $(BR2_EXTERNAL_FTWAIT_PATH)/../..
FTWAIT_SITE_METHOD = local
FTWAIT_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude build
FTWAIT_LICENSE = GPL-2.0+
FTWAIT_LICENSE_FILES = LICENSE

FTWAIT_MAKE_OPTS = \
	PREFIX=/usr LTO= WITHOUT_MAN=1 \
	WITHOUT_LIBTRACEFS=1 WITHOUT_LIBTRACECMD=1 WITHOUT_LIBIBERTY=1

ifeq ($(BR2_PACKAGE_FTWAIT_RECORDER),y)
FTWAIT_MAKE_OPTS += RECORDER=1 WITHOUT_COMPLETION=1
else
FTWAIT_DEPENDENCIES += host-pkgconf zlib zstd
ifeq ($(BR2_PACKAGE_ELFUTILS)$(BR2_PACKAGE_XZ),yy)
FTWAIT_DEPENDENCIES += elfutils xz
FTWAIT_MAKE_OPTS += WITHOUT_LIBELF= WITHOUT_LIBLZMA=
else
FTWAIT_MAKE_OPTS += WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1
endif
endif

define FTWAIT_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) $(TARGET_CONFIGURE_OPTS) $(FTWAIT_MAKE_OPTS) release
endef

define FTWAIT_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) $(TARGET_CONFIGURE_OPTS) $(FTWAIT_MAKE_OPTS) \
		DESTDIR=$(TARGET_DIR) install
endef

define FTWAIT_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_FTRACE)
	$(call KCONFIG_ENABLE_OPT,CONFIG_ENABLE_DEFAULT_TRACERS)
endef

$(eval $(generic-package))
