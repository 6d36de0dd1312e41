#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# initramfs.sh UNPACKED_KERNEL BUSYBOX OUTPUT: makes an initramfs with busybox and the modules that the
# tests need. /modules/order lists modules in the order in which insmod can load them; /modules/flash and
# /modules/ubi list those for flash memory, which only one test loads. /init and the guest's scripts are in
# a second archive, which run.sh appends.
set -eu

kernel=$1 busybox=$2 output=$3
# a module that is missing is built into the kernel, or the kernel lacks it; the tests notice that
modules='virtio_pci virtio_ccw virtio_blk virtio_console nls_cp437 nls_ascii vfat overlay'
flash='mtdram mtdblock jffs2' ubi='ubi deflate lzo zstd ubifs' # which asks for three ways to compress

installed=
for folder in "$kernel/lib/modules" "$kernel/usr/lib/modules"; do
	[ ! -d "$folder" ] || installed=$folder
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
root=$scratch/root
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/out" \
	"$root/mnt" "$root/modules"
cp "$busybox" "$root/bin/busybox"
ln -s busybox "$root/bin/sh"

# a kernel that is built without modules has no such folder
if [ -n "$installed" ]; then
	version=$(find "$installed" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | head -n 1)
	mkdir -p "$scratch/base/lib"
	ln -s "$(cd "$installed" && pwd)" "$scratch/base/lib/modules"
	[ -e "$installed/$version/modules.dep" ] ||
		PATH=$PATH:/usr/sbin:/sbin depmod -b "$scratch/base" "$version"
fi

unpacked() { # FILE
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -qdc "$1" ;;
	*) cat "$1" ;;
	esac
}

collect() { # LIST MODULE...
	list=$root/modules/$1
	shift
	: > "$list"
	[ -n "$installed" ] || return 0
	for module; do
		# modules.dep lists the modules that this one needs; the last of them is loaded first
		line=$(grep -E "/$(echo "$module" | sed 's/_/[-_]/g')\.ko[.a-z]*:" "$installed/$version/modules.dep") || continue
		for file in $(echo "${line#*:}" | tr ' ' '\n' | tac) "${line%%:*}"; do
			name=$(basename "$file")
			name=${name%%.ko*}.ko
			[ ! -e "$root/modules/$name" ] || continue
			unpacked "$installed/$version/$file" > "$root/modules/$name"
			echo "$name" >> "$list"
		done
	done
}

# shellcheck disable=SC2086 # words
{
	collect order $modules
	collect flash $flash
	collect ubi $ubi
}
(cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) | gzip -1 > "$output"
# the next archive has to begin at a multiple of 4
truncate -s %512 "$output"
