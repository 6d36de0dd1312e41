#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In environments that lack something, or have it in another place, doctor and record must work, or say
# in one clear line why they cannot.
. "$(dirname "$0")/checks.sh"

# Runs COMMANDS, then doctor and record, in a mount namespace of their own.
environment() { # COMMANDS FOLDER
	mkdir -p "$2"
	rm -f "$2/odd.dat"
	unshare -m sh -c "$1
		ftwait doctor --gaps > /tmp/doctor 2>&1
		echo \$? > /tmp/doctor.status
		timeout 60 ftwait record -o $2/odd.dat -- sh /guest/load.sh > /tmp/said 2>&1
		echo \$? > /tmp/record.status
		[ ! -e $2/odd.dat ] || cp $2/odd.dat /tmp/odd.dat"
}

works() { # NAME COMMANDS [FOLDER]
	rm -f /tmp/odd.dat
	environment "$2" "${3:-/tmp/odd}"
	expect "$1: doctor: status 0" grep -qx 0 /tmp/doctor.status
	expect "$1: record: status 0" grep -qx 0 /tmp/record.status
	expect "$1: one line is said" [ "$(grep -c . /tmp/said)" = 1 ]
	expect "$1: a report finds all" whole /tmp/odd.dat
	expect "$1: no instance is left" no_instances
}

refuses() { # NAME COMMANDS WHY
	environment "$2" /tmp/odd
	expect "$1: doctor: status 1" grep -qx 1 /tmp/doctor.status
	expect "$1: doctor: why" grep -q "^FAILED .*$3" /tmp/doctor
	expect "$1: record: status 1" grep -qx 1 /tmp/record.status
	expect "$1: record: why" grep -q "$3" /tmp/said
	expect "$1: record: in one line" [ "$(grep -c . /tmp/said)" = 1 ]
	expect "$1: no file is left" [ ! -e /tmp/odd/odd.dat ]
}

works "as usual" :

# tracefs
environment 'umount /sys/kernel/tracing' /tmp/odd
expect "no tracefs: doctor: status 1" grep -qx 1 /tmp/doctor.status
expect "no tracefs: doctor: record mounts it" grep -q 'no tracefs is mounted' /tmp/doctor
expect "no tracefs: record: status 0" grep -qx 0 /tmp/record.status
expect "no tracefs: record: says that it mounts it" grep -q 'mounted tracefs at /sys/kernel/tracing' /tmp/said
expect "no tracefs: a report finds all" whole /tmp/odd.dat
unshare -m sh -c 'umount /sys/kernel/tracing; ftwait record --no-mount -o /tmp/odd/odd.dat -d 1' > /tmp/said 2>&1
status=$?
expect "no tracefs, --no-mount: status 1" [ $status = 1 ]
expect "no tracefs, --no-mount: one line" [ "$(grep -c 'no tracefs' /tmp/said):$(grep -c . /tmp/said)" = 1:1 ]
works "below debugfs alone" 'mount -t debugfs debugfs /sys/kernel/debug
	umount /sys/kernel/tracing'
refuses "read-only tracefs" "mount --bind $tracing $tracing
	mount -o remount,bind,ro $tracing" 'Read-only file system'

# /proc
echo 2 > /proc/sys/kernel/kptr_restrict
works "kptr_restrict=2" :
expect "kptr_restrict=2: doctor: no names" grep -q '^gap  *kernel symbols' /tmp/doctor
expect "kptr_restrict=2: doctor: the mend" grep -q 'sysctl kernel.kptr_restrict=1' /tmp/doctor
echo 1 > /proc/sys/kernel/kptr_restrict
works "empty kallsyms" 'mount --bind /dev/null /proc/kallsyms'
expect "empty kallsyms: doctor: no names" grep -q '^gap  *kernel symbols' /tmp/doctor
works "no /proc" 'umount /proc'
expect "no /proc: doctor: says so" grep -q '^gap  *proc  */proc is not mounted' /tmp/doctor

# a clock that was never set; the kernel refuses a time that is before its boot
now=$(date '+%Y-%m-%d %H:%M:%S')
date -s '1970-01-01 12:00:00' > /dev/null
works "clock of 1970" :
ftwait report /tmp/odd.dat > /tmp/report 2> /tmp/said
expect "clock of 1970: the report's date" grep -q '^Recorded 1970-01-01 12:0[0-9]:[0-9]* UTC' /tmp/report
date -s "$now" > /dev/null

# file systems for the output
while read -r module; do
	insmod "/modules/$module"
done < /modules/flash
mkdir -p /tmp/ram /tmp/layers /tmp/overlay /tmp/fat /tmp/jffs2 /tmp/ubifs /tmp/full
mount -t ramfs ramfs /tmp/ram
works "ramfs" : /tmp/ram
mount -t tmpfs tmpfs /tmp/layers
mkdir /tmp/layers/upper /tmp/layers/work
mount -t overlay -o lowerdir=/guest,upperdir=/tmp/layers/upper,workdir=/tmp/layers/work overlay /tmp/overlay
works "overlay" : /tmp/overlay
expect "vfat: is made" mkdosfs /dev/vda 16384
expect "vfat: is mounted" mount -t vfat /dev/vda /tmp/fat
works "vfat" : /tmp/fat
umount /tmp/fat
expect "jffs2: is mounted" mount -t jffs2 mtd0 /tmp/jffs2
works "jffs2" : /tmp/jffs2
umount /tmp/jffs2
if [ -s /guest/ubi ]; then
	# writes all of the memory; mtdram needs no erase before
	{
		cat /guest/ubi
		tr '\0' '\377' < /dev/zero
	} | head -c 4194304 > /dev/mtd0
	while read -r module; do
		case $module in
		ubi.ko) insmod /modules/ubi.ko mtd=0 ;;
		*) insmod "/modules/$module" ;;
		esac
	done < /modules/ubi
	await 5 [ -e /dev/ubi0_0 ]
	expect "ubifs: is mounted" mount -t ubifs ubi0:data /tmp/ubifs
	works "ubifs" : /tmp/ubifs
	umount /tmp/ubifs
else
	skip ubifs "the host has no ubinize; contrib/bootstrap boards installs it"
fi
mount -t tmpfs -o size=64k tmpfs /tmp/full
environment : /tmp/full
expect "64 KiB: record: status 1" grep -qx 1 /tmp/record.status
expect "64 KiB: record: one line" \
	[ "$(grep -c 'No space left on device' /tmp/said):$(grep -c . /tmp/said)" = 1:1 ]
expect "64 KiB: no instance is left" no_instances

# a read-only root, without /tmp
root=/tmp/root
mkdir $root
mount -t tmpfs tmpfs $root
mkdir $root/bin $root/dev $root/guest $root/proc $root/sys
cp -a /bin/. $root/bin
cp /guest/* $root/guest
for folder in dev proc sys; do
	mount --bind /$folder $root/$folder
done
mount -t tracefs tracefs $root/sys/kernel/tracing
mount -o remount,ro $root
chroot $root ftwait doctor --gaps > /tmp/doctor 2>&1
status=$?
expect "read-only root: doctor: status 0" [ $status = 0 ]
chroot $root ftwait record -d 1 > /tmp/said 2>&1
status=$?
expect "read-only root: record: status 1" [ $status = 1 ]
expect "read-only root: record: one line" \
	[ "$(grep -c 'Read-only file system; .*-o' /tmp/said):$(grep -c . /tmp/said)" = 1:1 ]
chroot $root ftwait record -o - -- sh /guest/load.sh > /tmp/odd.dat 2> /tmp/said
status=$?
expect "read-only root: record -o -: status 0" [ $status = 0 ]
expect "read-only root: record -o -: a report finds all" whole /tmp/odd.dat
chroot $root ftwait top -b -n 1 > /tmp/top 2> /tmp/said
status=$?
expect "read-only root: top -b: status 0" [ $status = 0 ]
chroot $root ftwait why -d 1 1 > /tmp/why 2> /tmp/said
status=$?
expect "read-only root: why: status 1" [ $status = 1 ]
expect "read-only root: why: the mend, in one line" \
	[ "$(grep -c 'TMPDIR' /tmp/said):$(grep -c . /tmp/said)" = 1:1 ]
umount $root/sys/kernel/tracing $root/sys $root/proc $root/dev $root

# a lockdown cannot be undone, so it comes last
mount -t securityfs securityfs /sys/kernel/security
echo integrity > /sys/kernel/security/lockdown
works "lockdown integrity" :
echo confidentiality > /sys/kernel/security/lockdown
refuses "lockdown confidentiality" : 'the kernel is locked down'
for command in 'top -b -n 1' 'why -d 1 1' list; do
	# shellcheck disable=SC2086 # words
	ftwait $command > /tmp/output.txt 2> /tmp/said
	status=$?
	expect "lockdown confidentiality: $command: status 1" [ $status = 1 ]
	expect "lockdown confidentiality: $command: one line" \
		[ "$(grep -c 'the kernel is locked down' /tmp/said):$(grep -c . /tmp/said)" = 1:1 ]
done
finish
