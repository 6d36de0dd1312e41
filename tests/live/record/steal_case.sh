#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the host of a virtual machine took: as /proc/stat has it, and not known after a kill.
. "$(dirname "$0")/prelude.sh"

need jq
need trace-cmd

# stolen: ticks since boot, all CPUs that are on
stolen() {
	awk '/^cpu[0-9]/ { sum += $9 } END { print sum + 0 }' /proc/stat
}

steal_ns() {
	"$FTWAIT" report --json "$1" | jq .health.steal_ns
}

tick=$((1000000000 / $(getconf CLK_TCK)))
before=$(stolen)
record -o a.dat -d 500ms
ended
most=$((($(stolen) - before) * tick))
expect "status 0" [ $status -eq 0 ]
expect "whole ticks" [ $(($(steal_ns a.dat) % tick)) -eq 0 ]
expect "not more than was stolen around it" [ "$(steal_ns a.dat)" -le $most ]
expect "each CPU is in the file" [ "$(grep -a -c '^steal [0-9]* [0-9]*$' a.dat)" = "$(getconf _NPROCESSORS_ONLN)" ]
trace-cmd report a.dat > /dev/null 2> warnings
expect "trace-cmd has nothing to say" [ ! -s warnings ]

record -o b.dat
begun
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
"$FTWAIT" cleanup > /dev/null 2>&1
expect "killed: not known" [ "$(steal_ns b.dat)" = null ]
if grep -q '^flags.* hypervisor' /proc/cpuinfo; then
	for file in a.dat b.dat; do
		expect "$file is said to be a guest's" \
			[ "$("$FTWAIT" report -v "$file" | grep -c '^  recorded in a virtual machine')" = 1 ]
	done
fi
finish
