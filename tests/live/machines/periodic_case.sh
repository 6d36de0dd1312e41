#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests of one length, one each 4 ms, on a connection that is older than the recordings: these fit at
# every multiple of the period, so that no bound may be narrower than that, unless something else tells.
. "$(dirname "$0")/network.sh"

pair
talk b server 7001 500
talk a client 10.77.1.2 7001 600 4000 500

talks() {
	sleep 1
}

sleep 0.5
record_talks one
talked
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000
keep periodic
several_files
clocks true A B
clocks true B A
finish
