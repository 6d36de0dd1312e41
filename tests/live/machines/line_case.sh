#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client and a server with a router between them, which is a machine of its own: all three, and the two
# ends alone.
. "$(dirname "$0")/network.sh"

line
on b ip route add default via 10.77.4.254

talks() {
	talk b server 7001 500
	talk a client 10.77.4.1 7001 100 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.3.1
split one R ftwr0,ftwr1 10.77.3.254,10.77.4.254 --offset 86400000000000
split one B ftwb0 10.77.4.1 --offset -5000000000 --realtime 7000000
keep line
several_files
most=2000000
clocks known A B
clocks true A R B
through_server '.machine == 1 and .kind == "timer"' 10 40 70
finish
