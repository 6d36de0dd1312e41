#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A client asks a server through a router that gives it another address and port: the server sees the
# router's.
. "$(dirname "$0")/network.sh"

need iptables
line
translate 10.77.4.254:40000-40010

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
