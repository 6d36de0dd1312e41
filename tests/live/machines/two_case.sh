#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client asks a server; the server's clock is five seconds behind, and its time of day is 7 ms ahead. The
# client's path goes through the server, which sleeps before it answers.
. "$(dirname "$0")/network.sh"

pair

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 100 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000 --realtime 7000000
keep two
several_files
clocks known A B
clocks known B A
through_server '.machine == 1 and .kind == "timer"' 10 40 70
finish
