#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Waits for a disk name the file that is read or synced, by its path, whose inode is that of stat: a
# file that is open, and a program that is only mapped. Direct reads after a buffered write have none.
. "$(dirname "$0")/prelude.sh"

need jq
need dd
grep -q '^ino:' /proc/self/fdinfo/0 || { echo "the kernel does not show inodes of open files"; exit 77; }
[ -e "$tracing/events/filemap/mm_filemap_add_to_page_cache" ] || { echo "the kernel has no events of the page cache"; exit 77; }
type=$(awk -v at="$(stat -c %m .)" '$2 == at { type = $3 } END { print type }' /proc/mounts)
case $type in
ext4 | f2fs) ;;
*) echo "the file system is neither ext4 nor f2fs, but $type"; exit 77 ;;
esac

dd if=/dev/urandom of=cold bs=64k count=8 2> /dev/null
dd if=/dev/urandom of=direct bs=64k count=1 2> /dev/null
cp "$(command -v sleep)" program
sync cold direct program
cat > work.sh <<- 'END'
	exec 3> wal 4< cold 5> log
	sleep 0.1
	dd if=/dev/zero bs=4k count=1 conv=fsync >&3
	dd of=/dev/null bs=64k count=8 <&4
	{ dd if=/dev/zero bs=4k count=1 && dd of=/dev/null iflag=direct bs=4k count=8 < direct; } >&5
	./program 0.2
END

# reasons FILE FSYNC: how many waits for a disk are for that file
reasons() {
	jq -r --arg path "$PWD/$1" --argjson inode "$(stat -c %i "$1")" --argjson fsync "$2" \
		'[.waits[].cause | select(.file == $path and .inode == $inode and .fsync == $fsync)] | length' \
		waits.json
}

# where the kernel leaves out switches of the recording a wait may be missing: then again
for _ in 1 2 3; do
	dd if=cold iflag=nocache count=0 2> /dev/null
	dd if=program iflag=nocache count=0 2> /dev/null
	record -e default,files -o a.dat -- sh work.sh
	ended
	"$FTWAIT" report a.dat --waits --disk --json > waits.json 2>> errors
	[ "$(reasons wal true)" -gt 0 ] && [ "$(reasons cold false)" -gt 0 ] &&
		[ "$(reasons program false)" -gt 0 ] && break
done
expect "status 0" [ $status -eq 0 ]
expect "the synced file" [ "$(reasons wal true)" -gt 0 ]
expect "the read file" [ "$(reasons cold false)" -gt 0 ]
expect "the mapped file" [ "$(reasons program false)" -gt 0 ]
expect "never the written file" [ "$(reasons log false)" -eq 0 ]
expect "nor the directly read one" [ "$(reasons direct false)" -eq 0 ]
expect "in --disk" [ "$(jq --arg path "$PWD/cold" '[.disk.requests[] | select(.file == $path)] | length' \
	waits.json)" -gt 0 ]
"$FTWAIT" report a.dat --waits --top 0 > text 2>> errors
expect "in words" grep -q "(fsync of $PWD/wal)" text

# without the group no cause has a file
record -o b.dat -- sh work.sh
ended
expect "nothing without the group" \
	[ "$("$FTWAIT" report b.dat --waits --json | jq '[.waits[].cause | select(.inode)] | length')" -eq 0 ]
expect "nor mapped files" [ "$(grep -a -c "^path .* $PWD/program\$" b.dat)" -eq 0 ]
finish
