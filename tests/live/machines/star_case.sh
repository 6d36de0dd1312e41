#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three machines at a bridge: a client asks a server, which asks a database, which syncs a file. The
# client and the database never talk to each other.
. "$(dirname "$0")/network.sh"

host a
host b
host c
host bridge
on bridge ip link add ftwbridge type bridge
on bridge ip link set ftwbridge up
cable a ftwa0 10.77.2.1/24 bridge ftwport0 -
cable b ftwb0 10.77.2.2/24 bridge ftwport1 -
cable c ftwc0 10.77.2.3/24 bridge ftwport2 -
for port in 0 1 2; do
	on bridge ip link set ftwport$port master ftwbridge
done
# questions by ARP flood the bridge at the begin; one that is taken for another makes the clocks doubtful
acquaint a ftwa0 b ftwb0 10.77.2.2
acquaint b ftwb0 a ftwa0 10.77.2.1
acquaint b ftwb0 c ftwc0 10.77.2.3
acquaint c ftwc0 b ftwb0 10.77.2.2

talks() {
	talk c database 7002 stored
	talk b server 7001 300 10.77.2.3 7002
	talk a client 10.77.2.2 7001 60 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.2.1
split one B ftwb0 10.77.2.2 --offset -5000000000 --realtime -3000000
split one C ftwc0 10.77.2.3 --offset 7200000000000 --realtime 90000000
keep star
several_files
most=2000000
clocks known A B C
clocks known C A B
for number in 10 30 50; do
	crossed $number A B C
	expect "request $number: the server's sleep is on the path" \
		spent '.machine == 1 and .kind == "timer"' 300000
	expect "request $number: the path is on the two while the server works" served server 1,2
	expect "request $number: the path is on the database while that works" served database 2
done
finish
