#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Bulk transfers both ways: a sender's segments of up to 64 KiB are cut into packets behind the event that
# tells of them, and nothing merges them again.
. "$(dirname "$0")/network.sh"

need ethtool
pair
on a ethtool -K ftwa0 tso off gso off 2> errors && on b ethtool -K ftwb0 tso off gso off 2> errors || {
	echo "ethtool cannot set how packets are cut: $(cat errors)"
	exit 77
}

talks() {
	talk b server 7001 500
	talk a client 10.77.1.2 7001 30 1000 60000+200000
	talked
}

record_talks one
split one A ftwa0 10.77.1.1
split one B ftwb0 10.77.1.2 --offset -5000000000 --realtime 7000000
keep cut
several_files
clocks known A B
clocks known B A
finish
