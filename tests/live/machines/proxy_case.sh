#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client asks a proxy, which sleeps and opens a new connection to its backend for each request. The backend
# naps before it answers. The proxy has a cable to each, and forwards no packets.
. "$(dirname "$0")/network.sh"

host a
host b
host c
cable a ftwa0 10.77.5.1/24 b ftwb0 10.77.5.2/24
cable b ftwb1 10.77.6.2/24 c ftwc0 10.77.6.3/24

talks() {
	talk c backend 7002 60
	talk b proxy 7001 2000 10.77.6.3 7002
	talk a client 10.77.5.2 7001 60 2000 100+900
	talked
}

# NUMBER LEAST of the requests where nobody was preempted on the way to sleep, where the client waited a ms or
# more before the proxy did, and where the proxy waited for a ms or more of the backend's nap of 5 ms. LEAST is
# nine tenths of that, in ns: a task takes a while to go to sleep
naps() {
	awk '$6 > 0 { begin[$1, $2] = $6; sure[$2]++ }
		END {
			for (number in sure) {
				asked = begin["proxy", number]
				napped = begin["backend", number]
				least = napped + 5000000 - (napped > asked ? napped : asked)
				if (sure[number] == 3 && least >= 1000000 &&
						begin["client", number] + 1000000 <= asked)
					print number, int(least * 0.9)
			}
		}' client.log proxy.log backend.log | sort -n
}

record_talks one
split one A ftwa0 10.77.5.1
split one B ftwb0,ftwb1 10.77.5.2,10.77.6.2 --offset -5000000000 --realtime -3000000
split one C ftwc0 10.77.6.3 --offset 7200000000000 --realtime 90000000
keep proxy
several_files
most=2000000
clocks known A B C
clocks known C A B
naps > naps
expect "there are requests of which the waits are sure" [ -s naps ]
# the first three, and the last
sed -n -e '1,3p' -e '$p' naps > chosen
while read -r number least; do
	crossed "$number" A B C
	expect "request $number: its path leads from the client over the proxy to the backend, and back" \
		visits '.[:3] == [0, 1, 2] and .[-3:] == [2, 1, 0]'
	expect "request $number: the backend's nap is on its path" \
		spent '.machine == 2 and .kind == "timer"' "$least"
	expect "request $number: its path is on the two while the proxy works" served proxy 1,2
	expect "request $number: its path is on the backend while that works" served backend 2
done < chosen

# The 60 connections alone, without packets or calls that count bytes: when they are opened and closed tells
# the clocks, too
others='net:*,sock:sock_*_length,sock:sk_data_ready'
split one B-states ftwb1 10.77.6.2 --without "$others" --offset -5000000000
split one C-states ftwc0 10.77.6.3 --without "$others" --offset 7200000000000
clocks known B-states C-states
clocks known C-states B-states
finish
