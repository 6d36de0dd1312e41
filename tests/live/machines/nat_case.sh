#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client asks a server through a router that gives it another address and port: the server sees the
# router's.
. "$(dirname "$0")/network.sh"

need iptables
line
on r iptables -t nat -A POSTROUTING -o ftwr1 -p tcp -j SNAT --to-source 10.77.4.254:40000-40010 2> errors || {
	echo "iptables cannot translate addresses here: $(cat errors)"
	exit 77
}

talks() {
	talk b server 7001 500
	talk a client 10.77.4.1 7001 100 2000 100+900
	talked
}

record_talks one
split one A ftwa0 10.77.3.1
split one B ftwb0 10.77.4.1 --offset -5000000000
keep nat
several_files
clocks true A B
finish
