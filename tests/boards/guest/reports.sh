#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# reports.sh FTWAIT FILE few|all: what it says of a recording; run on the guest and on the host.
ftwait=$1 file=$2

views() { # few|all
	printf '%s\n' '--summary -v' '--waits --json' '--chains' '--costs --json' '--critical-path'
	[ "$1" = all ] || return 0
	printf '%s\n' '--summary --json' '--chains --folded' '--off-cpu' '--timeline' '--timeline --by cpu' --graph \
		--sched '--sched --json' --disk '--disk --json' --blame --irq '--irq --json' --wakeups --processes \
		'--rows' '--waits --format csv' '--format svg' '--format dot'
}

views "$3" | while read -r view; do
	echo "== $view"
	# shellcheck disable=SC2086 # words
	"$ftwait" report "$file" $view
	echo "status $?"
done
