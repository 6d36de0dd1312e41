#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two clients with the same program ask two servers on one machine: all messages have the same length, one each
# 3 ms.
. "$(dirname "$0")/network.sh"

pair

talks() {
	for number in 1 2; do
		log=server$number.log talk b server 700$number 500
		log=client$number.log talk a client 10.77.1.2 700$number 100 $((2000 + number)) 500
	done
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000
keep twins
several_files
clocks true A B
clocks true B A
finish
