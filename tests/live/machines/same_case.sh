#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The same recording twice, which is refused, and one machine's recording twice under another clock.
. "$(dirname "$0")/network.sh"

pair

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 50 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one A2 ftwa0 10.77.1.1 --offset 1000000000
cp A.dat copy.dat
cp A.truth copy.truth
keep same
several_files
if several A copy > report.json 2> errors; then
	expect "a copy is refused" false
fi
expect "a copy is named" said 'copy.dat: it is the same recording as A.dat'
clocks unknown A A2
finish
