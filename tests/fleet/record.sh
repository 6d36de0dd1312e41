#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# record.sh BUILD_DIRECTORY FOLDER: makes, as root, what contrib/fleet/example has: rows of recordings
# of six boards with two versions of their firmware each. A board is this machine with a name and a
# machine-id(5) of its own, in namespaces, so that the rows need no change. What queries must find:
#   - firmware 1.2 syncs twice as often: the time for the disk grew, on each board;
#   - b04 does most for each record: it is the slowest;
#   - on b05 and b06, firmware 1.2 needs a lock that another program has: a new cause.
set -eu

record_board() { # BUILD_DIRECTORY FOLDER BOARD FIRMWARE
	hostname "$3"
	mount --bind "$2/id" /etc/machine-id
	mount --bind "$2/boot_id" /proc/sys/kernel/random/boot_id
	mount --bind "$2/work" /srv
	every=2 work=20 lock=
	[ "$4" = 1.2 ] && every=1
	[ "$3" = b04 ] && work=60
	case $3-$4 in b05-1.2 | b06-1.2) lock=/srv/lock ;; esac
	"$1/ftwait" record -q --label board="$3" --label firmware="$4" -o "$2/$3-$4.dat" -- \
		perl "$here/logger.pl" /srv/log "$every" "$work" $lock
}

here=$(realpath "$(dirname "$0")")
if [ "$1" = --board ]; then
	shift
	record_board "$@"
	exit
fi

build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
for board in b01 b02 b03 b04 b05 b06; do
	echo "$board" | sha256sum | cut -c 1-32 > "$folder/id"
	for firmware in 1.1 1.2; do
		mkdir "$folder/work"
		# a new firmware is booted
		echo "$board $firmware" | sha256sum |
			sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)\(.\{12\}\).*/\1-\2-\3-\4-\5/' > "$folder/boot_id"
		unshare -u -m sh "$here/record.sh" --board "$build" "$folder" "$board" "$firmware"
		"$build/ftwait" report -q "$folder/$board-$firmware.dat" --rows \
			> "$folder/$board-$firmware.ndjson"
		rm -r "$folder/work"
	done
done
rm "$folder/id" "$folder/boot_id"
