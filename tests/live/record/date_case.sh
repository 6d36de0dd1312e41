#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The time of day of a recording, by date(1); host and boot, as this machine has them.
. "$(dirname "$0")/prelude.sh"

# a name of its own: others may sleep meanwhile
cp "$(command -v sleep)" nap

now() {
	date +%s%N
}

# between LOW NUMBER HIGH, all in ns
between() {
	[ -n "$2" ] && [ "$1" -le "$2" ] && [ "$2" -le "$3" ]
}

# first_of FILE KEY: its value in the JSON report
first_of() {
	"$FTWAIT" report "$1" --json | sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" | head -n 1
}

# naps CLOCK FORMAT: records date(1) between two naps; again where the kernel left one out
naps() {
	for _ in 1 2 3; do
		before=$(now)
		record --clock "$1" -o a.dat -- sh -c "./nap 0.3; date $2; ./nap 0.3" > stamp
		ended
		after=$(now)
		expect "$1: recorded" [ $status -eq 0 ]
		"$FTWAIT" report a.dat --waits --min 200ms --comm nap > both
		[ "$(grep -c 'its own' both)" = 2 ] || ! is_incomplete a.dat && break
	done
	expect "$1: two naps" [ "$(grep -c 'its own' both)" = 2 ]
}

for clock in mono boot local; do
	naps $clock +%s%N
	begin=$(first_of a.dat realtime_begin_ns)
	expect "$clock: begins while it was recorded: $before $begin $after" \
		between "$before" "$begin" "$after"
	# date(1) ran when its process says that it ran
	"$FTWAIT" report a.dat --waits --format csv --min 200ms --comm nap > waits
	first=$(awk -F , '/,nap,/ { print $2; exit }' waits)
	second=$(awk -F , '/,nap,/ { last = $1 } END { print last }' waits)
	origin=$(first_of a.dat begin_ns)
	expect "$clock: date ran between two naps" between $((begin + first - origin)) \
		"$(cat stamp)" $((begin + second - origin))
done

naps mono +%T.%N
"$FTWAIT" report a.dat > report
began=$(($(first_of a.dat realtime_begin_ns) / 1000000000))
expect "the head" grep -qxF "Recorded $(date -d @$began '+%Y-%m-%d %H:%M:%S %Z') on $(uname -n): \
sh -c './nap 0.3; date +%T.%N; ./nap 0.3'" report
"$FTWAIT" report a.dat --json > report
expect "the machine" grep -qF "\"machine\": {\"host\": \"$(uname -n)\", \"boot_id\": \
\"$(cat /proc/sys/kernel/random/boot_id)\", " report
"$FTWAIT" report a.dat --waits --min 200ms --comm nap --from "$(cat stamp)" > later
"$FTWAIT" report a.dat --waits --min 200ms --comm nap --to "$(cat stamp)" > sooner
expect "one after --from" [ "$(grep -c 'its own' later)" = 1 ]
expect "one before --to" [ "$(grep -c 'its own' sooner)" = 1 ]
finish
