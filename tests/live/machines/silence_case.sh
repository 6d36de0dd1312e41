#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two machines that have nothing to do with each other, each with a client and a server of its own, at
# the same addresses: a lab with two copies of the same network. By their addresses alone, both labs'
# sockets would be in each file; so the servers have two ports.
. "$(dirname "$0")/network.sh"

for side in 0 1; do
	pair $side
done

talks() {
	for side in 0 1; do
		log=server$side.log talk b$side server 700$side 500
		log=client$side.log talk a$side client 10.77.1.2 700$side 100 $((2000 + side * 700)) \
			$((100 + side * 13))+900
	done
	talked
}

record_talks one
split one A ftwa0 10.77.1.1 --port 7000 --synchronized 1000000
split one B ftwb1 10.77.1.2 --port 7001 --offset -5000000000 --realtime 3000000 \
	--synchronized 4000000
split one C ftwa1 10.77.1.1 --port 7001 --offset 1000000000
keep silence
several_files
clocks unknown A C
expect "C's time of day is kept right by nothing" jq -e '.trace.machines[1].day_bound_ns == null' \
	report.json
clocks unknown A B
expect "A and B know how right their times of day are: $(jq -c '.trace.machines[1]' report.json)" \
	jq -e '.trace.machines[1] | .day_bound_ns > 5000000 and .day_bound_ns < 60000000 and
		((.offset_ns - 5000000000) | fabs) <= .day_bound_ns' report.json
finish
