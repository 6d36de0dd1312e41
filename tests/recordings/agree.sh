#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whether views tell the same of one task: agree.sh FOLDER... Of each recording the task whose critical
# path the report chooses is asked for alone; then the shares of the first sentence, the table of costs,
# the path's sums and the phases of --net must not contradict each other (agree.jq).
set -u

here=$(dirname "$0")
. "$here/each.sh"

# The first share of the first sentence of a task, in percent, without what it reports apart.
first_share() {
	grep -m 1 -E '^[^ ].*\[[0-9]+\] took |^[0-9.]+ [a-z]+ of .*\[[0-9]+\]: ' |
		sed -E -e 's/^.*; the other [0-9.]+ [a-z]+: //' -e 's/^[^ ].*\[[0-9]+\] took [^:]*: //' \
			-e 's/^[0-9.]+ [a-z]+ of .*\[[0-9]+\]: //' |
		grep -o -E '^[0-9]+ %' | cut -d ' ' -f 1
}

agree() { # FILE
	local file=$1 tid share told
	tid=$(chosen_task "$file")
	[ -n "$tid" ] || return 0
	"$FTWAIT" report -q "$file" --tid "$tid" --summary --critical-path --net --json \
		> "$scratch/json" 2> "$scratch/errors" || { cat "$scratch/errors"; return 1; }
	jq -r -f "$here/agree.jq" "$scratch/json" > "$scratch/differs" 2>&1
	told=$("$FTWAIT" report -q "$file" --tid "$tid" 2> /dev/null | first_share)
	# nothing where the sentence reports all of it apart
	share=$(jq '.summary.costs | (map(.total_ns) | add) as $all | map(select(.share != null))
		| select(length > 0 and (map(.total_ns) | add) >= 0.005 * $all) | .[0].share * 100' "$scratch/json")
	if [ -n "$told" ] && [ -n "$share" ] && ! awk "BEGIN { exit !($told - 0.51 <= $share && $share <= $told + 0.51) }"; then
		echo "the first sentence says $told %, the table of costs $share" >> "$scratch/differs"
	fi
	[ ! -s "$scratch/differs" ] && return 0
	sed "s|^|$file: task $tid: |" "$scratch/differs"
	return 1
}

check_each agree "$@"
