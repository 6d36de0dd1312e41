#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A router with a narrow link and a short queue drops segments, which are sent again; and one in twenty
# receptions is not in the recording.
. "$(dirname "$0")/network.sh"

need tc
line
on b ip route add default via 10.77.4.254
on a ip link set dev ftwa0 gso_max_segs 1
on r tc qdisc add dev ftwr1 root tbf rate 20mbit burst 4kb limit 12kb 2> errors || {
	echo "the kernel has no tbf: $(cat errors)"
	exit 77
}

talks() {
	talk b server 7001 500
	talk a client 10.77.4.1 7001 40 1000 20000+40000 200
	talked
}

record_talks one
split one A ftwa0 10.77.3.1
split one B ftwb0 10.77.4.1 --offset -5000000000 --realtime 7000000 --drop-receives 5
keep loss
several_files
clocks known A B
clocks known B A
finish
