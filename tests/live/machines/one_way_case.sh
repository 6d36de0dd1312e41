#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Datagrams that nobody answers: they tell by how much the receiver's clock is ahead at most. A packet back that
# the kernel sends by itself may tell the rest.
. "$(dirname "$0")/network.sh"

host a
host b
for end in a b; do
	on $end sh -c 'echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6' 2> errors || true
done
cable a ftwa0 10.77.1.1/24 b ftwb0 10.77.1.2/24
# no questions by ARP either, which would be answered
acquaint a ftwa0 b ftwb0 10.77.1.2
acquaint b ftwb0 a ftwa0 10.77.1.1

talks() {
	talk b listener 7003
	talk a teller 10.77.1.2 7003 200 1000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000
keep one_way
several_files
clocks true A B
clocks true B A
finish
