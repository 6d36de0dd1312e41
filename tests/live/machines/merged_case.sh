#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A bulk transfer: the sender's segments are cut to single packets, and the receiver merges them again
# to as many or others.
. "$(dirname "$0")/network.sh"

need ethtool
pair
on a ethtool -K ftwa0 tso off gso off 2> errors && on b ethtool -K ftwb0 gro on 2> errors || {
	echo "ethtool cannot set how packets are cut and merged: $(cat errors)"
	exit 77
}

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 30 1000 60000+200000 30000
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000
keep merged
several_files
most=2000000
clocks known A B
clocks known B A
finish
