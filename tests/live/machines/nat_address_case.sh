#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client asks a server through a router that gives it another address, and keeps its port. Without events of
# packets the bytes of the connection alone tell the clocks.
. "$(dirname "$0")/network.sh"

need iptables
line
translate 10.77.4.254

talks() {
	talk b server 7001 500
	talk a client 10.77.4.1 7001 100 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.3.1
split one B ftwb0 10.77.4.1 --offset -5000000000
split one A-mute ftwa0 10.77.3.1 --without 'net:netif_receive_skb'
split one B-mute ftwb0 10.77.4.1 --without 'net:netif_receive_skb' --offset -5000000000
keep nat_address
several_files
clocks known A B
clocks known A-mute B-mute
clocks known B-mute A-mute
finish
