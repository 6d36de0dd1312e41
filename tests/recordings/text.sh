#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# text.sh FOLDER...: compares the report of each trace.dat with the report of its text, which trace-cmd
# report prints with the column of flags. Waits must have the same tasks, causes and times, except that
# text rounds times to a microsecond.
set -u

. "$(dirname "$0")/each.sh"

# Prints the task's finished waits: causes, and times in ns.
waits() { # FILE TID
	"$FTWAIT" report -q "$1" --tid "$2" --waits --top 0 --json 2> "$scratch/errors" |
		jq -r '.waits[] | select(.open | not) | [.task.tid, .cause.kind, .begin_ns, .end_ns] | @tsv'
}

same() { # FILE
	local file=$1 tid
	tid=$(chosen_task "$file")
	[ -n "$tid" ] || return 0
	trace-cmd report -l -N "$file" > "$scratch/text" 2> /dev/null || return 0
	waits "$file" "$tid" > "$scratch/of_file"
	waits "$scratch/text" "$tid" > "$scratch/of_text"
	# text does not contain the state of the task before its first event
	[ "$(wc -l < "$scratch/of_file")" -gt "$(wc -l < "$scratch/of_text")" ] && sed -i 1d "$scratch/of_file"
	[ -s "$scratch/of_file" ] || return 0
	paste "$scratch/of_file" "$scratch/of_text" | awk -F '\t' '
		function far(a, b) { return a - b > 2000 || b - a > 2000 }
		$1 != $5 || $2 != $6 || far($3, $7) || far($4, $8) { print "row " NR ": " $0; bad = 1 }
		END { exit bad }' > "$scratch/differs" && return 0
	echo "$file: the waits of task $tid in text differ:"
	head -n 5 "$scratch/differs"
	return 1
}

if ! command -v trace-cmd > /dev/null; then
	echo "SKIP text: no trace-cmd"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
check_each same "$@"
