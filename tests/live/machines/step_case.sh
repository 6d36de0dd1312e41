#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The server's clock jumps by 20 ms in the middle: no line fits, and none may be told.
. "$(dirname "$0")/network.sh"

pair

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 200 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000 --step 300ms:20000000
keep step
several_files
clocks unknown A B
clocks unknown B A
finish
