#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# build_kernel.sh UNPACKED_PACKAGE CONFIG TRIPLET FOLDER: builds a kernel without modules from an unpacked
# linux-source package. Its configuration is tinyconfig, the smallest one that the kernel's makefile
# offers, with the options of the file CONFIG. Puts vmlinuz, vmlinux and System.map into FOLDER.
set -eu

package=$1 config=$2 triplet=$3 folder=$(cd "$4" && pwd)

fail() {
	echo "$*" >&2
	exit 1
}

case $triplet in
arm-*) ARCH=arm image=arch/arm/boot/zImage ;;
*) fail "cannot build a kernel for $triplet: its ARCH and image are not in build_kernel.sh" ;;
esac
CROSS_COMPILE=$triplet-
# the image does not depend on who builds it, and when
KBUILD_BUILD_USER=ftwait KBUILD_BUILD_HOST=boards KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970'
export ARCH CROSS_COMPILE KBUILD_BUILD_USER KBUILD_BUILD_HOST KBUILD_BUILD_TIMESTAMP
# this may run below another make, whose variables and jobs are not the kernel's
unset MAKEFLAGS MFLAGS MAKELEVEL

tar -xf "$(find "$package/usr/src" -name 'linux-source-*.tar.xz')" -C "$package"
cd "$(find "$package" -mindepth 1 -maxdepth 1 -type d -name 'linux-source-*')"
log=$package/log
{
	make -s tinyconfig && cat "$config" >> .config && make -s olddefconfig
} > "$log" 2>&1 || fail "$(tail -n 3 "$log")"
# make drops an option without a word if one that it depends on is not set
while read -r line; do
	case $line in
	CONFIG_*) grep -qxF "$line" .config ;;
	'# CONFIG_'*' is not set')
		line=${line#\# }
		! grep -q "^${line%% *}=" .config
		;;
	esac || fail "$config: the kernel's makefile does not accept: $line"
done < "$config"
make -s -j"$(nproc)" "${image##*/}" > "$log" 2>&1 || fail "$(tail -n 10 "$log")"
cp "$image" "$folder/vmlinuz"
cp vmlinux System.map "$folder"
