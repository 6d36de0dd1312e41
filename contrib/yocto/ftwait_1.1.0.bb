# SPDX-License-Identifier: GPL-2.0-or-later
SUMMARY = "Explains what tasks wait for, from ftrace recordings"
DESCRIPTION = "Records what the kernel does and explains each wait: what ended it, and what that waited for in turn"
SECTION = "devel"
LICENSE = "GPL-2.0-or-later"
LIC_FILES_CHKSUM = "file://LICENSE;md5=b234ee4d69f5fce4486a80fdaf4a4263"

# The tarball of "make dist", in a folder files/ beside this recipe.
SRC_URI = "file://ftwait-${PV}.tar.gz"

DEPENDS = "zlib zstd"

inherit pkgconfig

PACKAGECONFIG ??= ""
PACKAGECONFIG[libelf] = "WITHOUT_LIBELF= WITHOUT_LIBLZMA=,WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1,elfutils xz"
PACKAGECONFIG[recorder] = "RECORDER=1,"

EXTRA_OEMAKE = "PREFIX=${prefix} BINDIR=${bindir} DATADIR=${datadir} MANDIR=${mandir} \
    LTO= WITHOUT_LIBTRACEFS=1 WITHOUT_LIBTRACECMD=1 WITHOUT_LIBIBERTY=1 \
    ${PACKAGECONFIG_CONFARGS}"

do_compile() {
    oe_runmake release
}

do_install() {
    oe_runmake DESTDIR=${D} install
}

PACKAGES =+ "${PN}-bash-completion ${PN}-zsh-completion ${PN}-fish-completion"
FILES:${PN}-bash-completion = "${datadir}/bash-completion"
FILES:${PN}-zsh-completion = "${datadir}/zsh"
FILES:${PN}-fish-completion = "${datadir}/fish"
FILES:${PN}-doc += "${datadir}/doc/ftwait/examples"
