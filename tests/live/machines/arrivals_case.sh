#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packets whose arrivals at their device's driver are recorded, which is before the kernel merges them:
# the clocks are known at least as closely as without these arrivals.
. "$(dirname "$0")/network.sh"

need ethtool
pair
for side in a b; do
	on $side ethtool -K ftw${side}0 gro on tso off 2> errors || {
		echo "ethtool cannot make the devices merge packets: $(cat errors)"
		exit 77
	}
done
[ -e "$tracing/events/net/napi_gro_receive_entry" ] || {
	echo "this kernel has no event napi_gro_receive_entry"
	exit 77
}

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 100 2000 100+900
	talked
}

bound() {
	jq '.trace.machines[1].bound_ns' report.json
}

record_talks one -e default,net:napi_gro_receive_entry
split one A ftwa0 10.77.1.1 --without 'sock:*'
split one B ftwb0 10.77.1.2 --without 'sock:*' --offset -5000000000
split one A-less ftwa0 10.77.1.1 --without 'sock:*,net:napi_gro_*'
split one B-less ftwb0 10.77.1.2 --without 'sock:*,net:napi_gro_*' --offset -5000000000
keep arrivals
several_files
clocks known A-less B-less
without=$(bound)
clocks known A B
expect "the bound is closer with arrivals, $(bound) ns, than $without ns" [ "$(bound)" -lt "$without" ]
clocks known B A
finish
