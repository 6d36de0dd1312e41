#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts in contrib/ are what "ftwait help --completion" prints, and the shells can read them.
set -u

ftwait=${FTWAIT:-build/ftwait}
[ -x "$ftwait" ] || {
	echo "$ftwait is not built"
	exit 77
}
bad=0

same() { # SHELL FILE
	"$ftwait" help --completion="$1" | diff "$2" - || {
		echo "mend: $ftwait help --completion=$1 > $2"
		bad=1
	}
	# what is not installed has nothing to read it
	command -v "$1" > /dev/null || return
	"$1" -n "$2" || bad=1
}

same bash contrib/ftwait.bash
same zsh contrib/_ftwait
same fish contrib/ftwait.fish
"$ftwait" help --completion | cmp contrib/ftwait.bash - || bad=1
exit $bad
