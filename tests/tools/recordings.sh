#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# recordings.sh SCRATCH: prints the folders of recordings of other machines, which FTWAIT_TRACES names, in the
# form of that variable. If it is not set, these are shared folders beside the project, if they exist. In place
# of a folder with packed recordings, *.dat.zst, it prints a folder in SCRATCH that has them unpacked, and links
# to the other files. A suite then only looks for *.dat, and may run this again: nothing changes any more.
set -eu

scratch=$1
cd "$(dirname "$0")/../.."

folders() {
	if [ -n "${FTWAIT_TRACES:-}" ]; then
		echo "$FTWAIT_TRACES" | tr : '\n'
		return
	fi
	for folder in ../shared/traces ../shared/boards ../shared/boards-old; do
		[ ! -d "$folder" ] || echo "$folder"
	done
}

is_packed() { # FOLDER
	for file in "$1"/*.dat.zst; do
		[ -e "$file" ] && return
	done
	return 1
}

unpack() { # FOLDER PLACE
	mkdir "$2"
	for file in "$(realpath "$1")"/*; do
		case $file in
		*.dat.zst) zstd -dcq "$file" > "$2/$(basename "$file" .zst)" ;;
		*) ln -s "$file" "$2" ;;
		esac
	done
}

number=0
found=
for folder in $(folders); do
	number=$((number + 1))
	if is_packed "$folder"; then
		unpack "$folder" "$scratch/recordings.$number"
		folder=$scratch/recordings.$number
	fi
	found=${found:+$found:}$folder
done
echo "$found"
