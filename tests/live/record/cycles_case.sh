#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stamps of x86-tsc become nanoseconds where the kernel tells how; elsewhere they are refused.
. "$(dirname "$0")/prelude.sh"

if ! grep -q x86-tsc "$tracing/trace_clock"; then
	echo "no clock x86-tsc on this machine"
	exit 77
fi
record --clock x86-tsc -o a.dat -- sleep 0.2
ended
if [ $status -ne 0 ]; then
	expect "why" said '^ftwait: clock "x86-tsc" counts .*, and the kernel does not say how long one is'
	expect "those that serve" said '; use one of: .*mono'
	expect "nothing is written" [ ! -e a.dat ]
	[ $failures -ne 0 ] && finish
	echo "the kernel does not tell how long a cycle is; the refusal is right"
	exit 77
fi
longest=$("$FTWAIT" report --waits --comm sleep --min 100ms --format csv a.dat | sed -n 2p)
begin=$(echo "$longest" | cut -d, -f1) woken=$(echo "$longest" | cut -d, -f2)
expect "200 ms are 200 ms" [ $(((woken - begin) / 10000000)) -eq 20 ]
finish
