#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two recordings of the same talk, one after the other: the client's of the first, and the server's of the
# second, with the same addresses, ports and lengths.
. "$(dirname "$0")/network.sh"

for side in 0 1; do
	pair $side
	on a$side sh -c 'echo "40000 40000" > /proc/sys/net/ipv4/ip_local_port_range'
done

talks() {
	talk b$side server 7001 500
	talk a$side client 10.77.1.2 7001 100 2000 100+900
	talked
}

side=0
record_talks one
side=1
record_talks two
split one A ftwa0 10.77.1.1
split two B ftwb1 10.77.1.2 --offset -5000000000
keep strangers
several_files
clocks unknown A B
clocks unknown B A
finish
