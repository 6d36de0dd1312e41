#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The evidence of --evidence, held against another reader: run.sh BUILD_DIRECTORY [--quick].
#
# found     every cited event stands in the text of trace-cmd report, on that CPU, at that nanosecond
# decides   without a cited event, what is said of the wait, or of the request to a disk, is another
#           thing, or is not there. (What other rows cite are events of a wait that stands for them.)
#           The text of trace-cmd is read by ftwait, too: of it one line is left out at a time.
#           EVIDENCE_SEED chooses which; it is printed
#
# --quick takes the recordings of fixtures/ only, and leaves out 3 of each instead of 20.
# EVIDENCE_COUNT is another number.
set -u

build=$1
quick=${2:-}
count=${EVIDENCE_COUNT:-20}
folders="fixtures"
[ -n "$quick" ] && count=3
if ! command -v trace-cmd > /dev/null; then
	echo "SKIP evidence: trace-cmd is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
trap 'exit 130' INT TERM
if [ -z "$quick" ]; then
	for folder in $(tests/tools/recordings.sh "$made" | tr : ' '); do
		[ -d "$folder" ] && folders="$folders $folder"
	done
fi
seed=${EVIDENCE_SEED:-$(date +%s)}
echo "seed of evidence: EVIDENCE_SEED=$seed"
passed=0
failed=0
report=$build/ftwait

# The cited events of all views that have evidence: "NS CPU EVENT".
cited() { # FILE
	"$report" report -q "$1" --all --json --summary --waits --critical-path --tail --chains --lock --net \
		--disk --evidence \
		> "$made/report" 2> "$made/errors" || return
	jq -r '.. | objects | select(has("evidence")) | .evidence[]? |
			"\(.at_ns) \(.cpu) \(.event)"' "$made/report" | sort -u
}

# What that other reader shows, in the same words.
shown() { # TEXT
	sed -n 's/^.*-[-0-9]* *\[\([0-9]*\)\] *\([0-9]*\)\.\([0-9]\{9\}\): *\([^ :]*\):.*/\2\3 \1 \4/p' "$1" |
		awk '{ print $1 + 0 == 0 ? "0" : $1, $2 + 0, $3 }' | sed 's/^0*\([0-9]\)/\1/' | sort -u
}

# All rows of a view with evidence of its own, each with what tells it from the others.
said() { # TEXT VIEW [--evidence]
	"$report" report -q "$1" --all --json "--$2" ${3:+"$3"} 2> "$made/errors" |
		case $2 in
		waits) jq -c '.waits[] | {id: [.task.tid, .begin_ns], row: .}' ;;
		disk) jq -c '.disk.requests[] | {id: [.dev, .sector, .complete_ns], row: .}' ;;
		esac
}

# One of these, but for its evidence; nothing if there is none.
row_of() { # SAID ID
	jq -c --argjson id "$2" 'select(.id == $id) | .row | del(.evidence, .evidence_inferred)' "$1"
}

# The number of the line of that event.
line_of() { # TEXT NS CPU EVENT
	awk -v seconds="$(echo "$2" | sed 's/.\{9\}$//')" -v rest="$(echo "$2" | sed 's/.*\(.\{9\}\)$/\1/')" \
		-v cpu="$3" -v event="$4" '
		match($0, (seconds == "" ? "0" : seconds) "[.]" rest ": *" event "(_[a-z0-9_]*)?:") &&
			match($0, "\\[0*" cpu "\\]") { print NR; exit }' "$1"
}

# The text without that line; without a stack, and those right behind it: some recordings have each twice.
without() { # TEXT LINE EVENT
	if [ "$3" != kernel_stack ]; then
		sed "$2d" "$1"
		return
	fi
	awk -v line="$2" 'NR < line { print; next }
		!is_past && (NR == line || / kernel_stack: / || /^=>/) { next }
		{ is_past = 1; print }' "$1"
}

check_found() { # RECORDING
	cited "$1" > "$made/cited"
	if [ ! -s "$made/cited" ]; then
		failed=$((failed + 1))
		echo "FAIL evidence found $1: no report: $(head -n 1 "$made/errors")"
		return
	fi
	shown "$made/text" > "$made/shown"
	if missing=$(comm -23 "$made/cited" "$made/shown") && [ -z "$missing" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL evidence found $1: not in the text of trace-cmd:"
		echo "$missing" | head -n 3
	fi
}

check_decides() { # RECORDING VIEW
	said "$made/text" "$2" --evidence > "$made/said"
	jq -r '.id as $id | .row.evidence[]? | [($id | tojson), .at_ns, .cpu, .event] | join("\t")' "$made/said" |
		awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n |
		head -n "$count" | cut -f 2- > "$made/chosen"
	while IFS='	' read -r id at cpu event; do
		line=$(line_of "$made/text" "$at" "$cpu" "$event")
		without "$made/text" "${line:-1}" "$event" > "$made/without"
		said "$made/without" "$2" > "$made/other"
		if [ -n "$line" ] &&
			[ "$(row_of "$made/said" "$id")" != "$(row_of "$made/other" "$id")" ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAIL evidence decides $1: $event at $at on cpu $cpu, of --$2 $id"
		fi
	done < "$made/chosen"
}

# shellcheck disable=SC2086 # a list of folders
find $folders -name '*.dat' -size -4096k | sort > "$made/recordings"
while read -r recording; do
	trace-cmd report -t -i "$recording" > "$made/text" 2> "$made/errors" || continue
	# version 7 packed by zlib, streams and parts of recordings are no files of trace-cmd 3.1
	grep -q 'sched_switch:' "$made/text" || continue
	check_found "$recording"
	check_decides "$recording" waits
	check_decides "$recording" disk
done < "$made/recordings"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
