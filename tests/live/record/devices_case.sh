#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Block devices have the names that lsblk shows, also one that appears while recording.
. "$(dirname "$0")/prelude.sh"

need jq
need perl
need losetup
need lsblk
[ -e "$tracing/events/block/block_rq_issue" ] || { echo "the kernel has no block events"; exit 77; }

# loop REQUEST NUMBER: an ioctl of /dev/loop-control that adds or removes a device
cat > loop.pl <<- 'END'
	open(my $control, "+<", "/dev/loop-control") or die $!;
	defined(ioctl($control, hex($ARGV[0]), 0 + $ARGV[1])) or die $!;
END
loop() {
	perl loop.pl "$@"
}
added=$((500 + $$ % 500))
add=0x4c80 remove=0x4c81
loop $add $added 2> errors || { echo "no loop devices"; exit 77; }
loop $remove $added
truncate -s 8M image
cat > use.sh <<- 'END'
	# a device that is not there when recording begins, and is when it ends
	perl loop.pl "$1" "$2"
	losetup "/dev/loop$2" image || exit 3
	lsblk -n -r -o NAME,MAJ:MIN "/dev/loop$2" > truth
	dd if="/dev/loop$2" of=/dev/null bs=64K iflag=direct status=none
	losetup -d "/dev/loop$2"
END
record -e block -o a.dat -- sh use.sh $add $added
ended
loop $remove $added
expect "status 0" [ $status -eq 0 ]
read -r disk number < truth
numbers=$(echo "$number" | tr : ,)
expect "the device is the added one" [ "$disk" = "loop$added" ]
expect "it is noted once" [ "$(grep -a -c "^device $number $disk\$" a.dat)" -eq 1 ]
"$FTWAIT" report --disk --waits --json a.dat > json 2>> errors
expect "the name that lsblk shows" [ "$(jq -r --arg dev "$numbers" \
	'.disk.devices[] | select(.dev == $dev) | .disk' json)" = "$disk" ]
"$FTWAIT" report --disk a.dat > text 2>> errors
expect "in text, too" grep -q "^$disk " text
"$FTWAIT" report --waits --all a.dat > text 2>> errors
expect "in causes, too" jq -e --arg disk "$disk" --arg dev "$numbers" \
	'[.waits[].cause | select(.kind == "disk" and .dev == $dev)] |
	 length > 0 and all(.disk == $disk)' json > matches

# all that were there at the begin, by lsblk and sysfs, as an older lsblk leaves empty ones out
record -e block --no-snapshot -o b.dat -- true
ended
for device in /sys/class/block/*; do
	name=$(basename "$device" | tr '!' /)
	expect "$name is noted" \
		[ "$(grep -a -c "^device $(cat "$device/dev") $name\( .*\)\?\$" b.dat)" -eq 1 ]
done
finish
