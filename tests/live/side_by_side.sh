# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by what runs many things that mostly wait.

# side_by_side COUNT FOLDER COMMAND...: runs "COMMAND... NAME" for each line of standard input, that is NAME, so
# many at a time, in that order. Leaves NAME.log, NAME.status and NAME.seconds in the folder.
side_by_side() {
	at_a_time=$1
	shift
	# shellcheck disable=SC2016 # the inner shell expands these
	xargs -r -d '\n' -P "$at_a_time" -n 1 sh -c '
		logs=$1
		shift
		for name; do :; done # the last one
		began=$(date +%s)
		"$@" > "$logs/$name.log" 2>&1 < /dev/null
		echo $? > "$logs/$name.status"
		echo $(($(date +%s) - began)) > "$logs/$name.seconds"' sh "$@"
}
