#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every option of "ftwait help COMMAND" stands in the manual page of the command, and the reverse.
# The program is $FTWAIT, or build/ftwait.
set -u

ftwait=${FTWAIT:-build/ftwait}
[ -x "$ftwait" ] || {
	echo "$ftwait is not built"
	exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

help_options() { # COMMAND
	"$ftwait" help "$1" | sed -n \
		-e 's/^  -\([a-zA-Z]\), --\([a-z-]*\).*/-\1 --\2/p' \
		-e 's/^      --\([a-z-]*\).*/--\1/p' | sort
}

man_options() { # PAGE
	sed -n \
		-e 's/^\.It Fl \([a-zA-Z]\) , Fl -\([a-z-]*\).*/-\1 --\2/p' \
		-e 's/^\.It Fl -\([a-z-]*\).*/--\1/p' "$1" | sort
}

bad=0
for command in record report list doctor cleanup; do
	page=man/ftwait-$command.1
	help_options $command > "$work/help"
	man_options "$page" > "$work/man"
	[ -s "$work/help" ] || {
		echo "\"ftwait help $command\" shows no option"
		bad=1
	}
	comm -23 "$work/help" "$work/man" | sed "s|^|$page lacks: |" | grep . && bad=1
	comm -13 "$work/help" "$work/man" | sed "s|^|$page has, help has not: |" | grep . && bad=1
	grep -q '^\.Sh EXAMPLES' "$page" || {
		echo "$page has no examples"
		bad=1
	}
done
exit $bad
