#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The server's clock is 40 ppm faster: over $DRIFT_SECONDS (8) that is 0.3 ms, more than the packets
# take.
. "$(dirname "$0")/network.sh"

seconds=${DRIFT_SECONDS:-8}
host a
host b
cable a ftwa0 10.77.1.1/24 b ftwb0 10.77.1.2/24

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 $((seconds * 20)) 49500 100+900
	talked
}

record_talks one -e sched,net
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset 3000000 --slope 40
keep drift
several_files
clocks known A B
clocks known B A
for number in 10 $((seconds * 10)) $((seconds * 19)); do
	crossed $number A B
	expect "request $number: the server's sleep is on the path" \
		spent '.machine == 1' 500000
	expect "request $number: the path is on the server while that works" served server 1
done
finish
