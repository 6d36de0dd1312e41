#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The server's clock is 40 ppm faster: over $DRIFT_SECONDS (8) that is 0.3 ms, more than the packets
# take.
. "$(dirname "$0")/network.sh"

seconds=${DRIFT_SECONDS:-8}
pair

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
through_server '.machine == 1' 10 $((seconds * 10)) $((seconds * 19))
finish
