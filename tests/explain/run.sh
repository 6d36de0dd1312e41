#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each answer of `ftwait explain`: run.sh BUILD_DIRECTORY. Of all recordings at hand, without a question
# and of those in fixtures/ with some: the JSON fits its schema, there are at most five answers, of at most
# 2,000 tokens at 3.5 bytes each, and the command of each answer runs and prints a sentence of the answer, or
# names the task that it is of; if it is of none, a name in it. The reports fit their schema, too.
set -u

build=$(cd "$1" && pwd) || exit 1
ftwait=$build/ftwait
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/bin" "$scratch/made"
ln -s "$ftwait" "$scratch/bin/ftwait"
PATH=$scratch/bin:$PATH
"$ftwait" schema explain > "$scratch/explain.schema"
"$ftwait" schema report > "$scratch/report.schema"
passed=0 failed=0 answers=0 most=0

fail() { # WHAT
	echo "FAIL explain: $*"
	is_right=0
}

fits() { # SCHEMA FILE
	wrong=$(jq -r --slurpfile schema "$scratch/$1.schema" -f tests/explain/schema.jq "$2" 2>&1)
	[ -z "$wrong" ] || fail "does not fit ftwait schema $1: $wrong"
}

# Whether the command's output names what the answer is of.
confirm() { # NUMBER
	next=$(jq -r ".answers[$1].next" "$scratch/json")
	if ! sh -c "$next" > "$scratch/next" 2> "$scratch/error"; then
		fail "$next: $(cat "$scratch/error")"
		return
	fi
	jq -r ".answers[$1].says | split(\". \")[] | select(length > 20)" "$scratch/json" > "$scratch/says"
	answers=$((answers + 1))
	grep -qFf "$scratch/says" "$scratch/next" && return
	jq -r ".answers[$1] | if .task then .task.comm
		else .says | scan(\"[^ ,;()]+\\\\[[0-9]+\\\\]|-> [^ ,;()]+|[0-9]+,[0-9]+|(?<=[:,] )[^ ,:]+(?= [0-9.]+ [mu]?s)\") | ltrimstr(\"-> \") end" \
		"$scratch/json" > "$scratch/names"
	if [ -s "$scratch/names" ]; then
		grep -qFf "$scratch/names" "$scratch/next" ||
			fail "$next does not name any of: $(tr '\n' ' ' < "$scratch/names")"
	fi
}

check() { # FILE [QUESTION...]
	is_right=1
	if ! "$ftwait" explain -q "$@" --json > "$scratch/json" 2> "$scratch/error"; then
		fail "$*: $(tail -n 1 "$scratch/error")"
	else
		fits explain "$scratch/json"
		bytes=$(wc -c < "$scratch/json")
		[ "$bytes" -le 7000 ] || fail "$*: $bytes bytes"
		[ "$bytes" -le "$most" ] || most=$bytes
		count=$(jq '.answers | length' "$scratch/json")
		[ "$count" -le 5 ] || fail "$*: $count answers"
		number=0
		while [ "$number" -lt "$count" ]; do
			confirm $number
			number=$((number + 1))
		done
	fi
	passed=$((passed + is_right)) failed=$((failed + 1 - is_right))
}

named=$(tests/tools/recordings.sh "$scratch/made") || exit 1
for folder in fixtures $(echo "$named" | tr : ' '); do
	for file in "$folder"/*.dat; do
		[ -e "$file" ] || continue
		check "$file"
		[ "$folder" = fixtures ] || continue
		for question in disk lock "slow requests" "which task had the CPU meanwhile"; do
			check "$file" "$question"
		done
		is_right=1
		"$ftwait" report -q "$file" --summary --sched --costs --json > "$scratch/report"
		fits report "$scratch/report"
		passed=$((passed + is_right)) failed=$((failed + 1 - is_right))
	done
done
[ "$answers" -ge 50 ] || {
	echo "FAIL explain: only $answers answers were seen"
	failed=$((failed + 1))
}
echo "explain: $answers commands of answers were run; the largest JSON has $most bytes"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
