# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of this folder that check recordings one by one.

FTWAIT=${FTWAIT:?path of the program to test}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the task of the critical path that the report shows; prints nothing if there is none.
chosen_task() { # FILE
	"$FTWAIT" report -q "$1" --critical-path --json 2> /dev/null |
		jq '.critical_path.task.tid // empty' 2> /dev/null
}

# Runs CHECK FILE for each trace.dat of the folders; the last line counts.
check_each() { # CHECK FOLDER...
	local check=$1 file passed=0 failed=0
	shift
	for file in $(for folder; do ls "$folder"/*.dat 2> /dev/null; done); do
		if "$check" "$file"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" -eq 0 ]
}
