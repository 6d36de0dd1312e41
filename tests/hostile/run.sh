#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: names of tasks, programs, files, functions and marks that a terminal, a
# browser, a spreadsheet or a shell would obey, through all views and formats: one recording that is made
# up (schedule.txt), and where tracing is allowed one of a program that calls itself so (hostile.pl).
# Nothing but text comes out: valid UTF-8 and no control characters, and what the format demands.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-hostile.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
FTWAIT=$build/ftwait
passed=0 failed=0 skipped=0
cd "$folder" || exit 1
views=$("$here/../tools/views.sh" "$FTWAIT" --options) || exit 1
for program in jq xmllint perl; do
	command -v $program > /dev/null && continue
	echo "SKIP hostile: no $program; on Debian: apt-get install jq libxml2-utils perl"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
done

fail() { # WHAT
	echo "FAIL hostile $1"
	failed=$((failed + 1))
}

# UTF-8 without what is obeyed instead of shown: controls, separators of lines, turns of direction
is_plain() { # FILE
	perl -e 'local $/; open F, "<", $ARGV[0]; my $t = <F>;
		exit 1 if !utf8::decode($t) || $t =~ /[\x{d800}-\x{dfff}\x{110000}-\x{7fffffff}]/;
		exit($t =~ /[\x00-\x09\x0b-\x1f\x7f-\x9f\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]/)' "$1"
}

# What a spreadsheet would take for a formula; numbers are none.
has_formula() { # FILE
	perl -ne 'exit 1 if /(?:^|,)"?[=@+\t\r]/ || /(?:^|,)"?-(?![0-9.]+(?:"|,|$))/' "$1" && return 1
	return 0
}

# shown WHAT CHECK...: what has been reported into out is plain, and passes
shown() {
	what=$1
	shift
	if [ $status -ne 0 ]; then
		fail "$what: status $status: $(head -n 1 errors)"
	elif ! is_plain out || ! is_plain errors; then
		fail "$what: control characters, or no UTF-8"
	elif ! "$@" > /dev/null 2> why; then
		fail "$what: $(head -n 1 why)"
	else
		passed=$((passed + 1))
	fi
}

report() { # OPTION...
	"$FTWAIT" report "$recording" --all "$@" > out 2> errors
	status=$?
}

# Escape sequences of colours are ours, and nothing but them is left.
without_colours() {
	perl -pi -e 's/\x1b\[[0-9;]*m//g' out
}

no_formula() {
	! has_formula out
}

folded() {
	! grep -v -q '^[^ ].* [0-9][0-9]*$' out
}

# As many ends of scripts as begins: none stands in a name.
scripts_are_ours() {
	[ "$(grep -o '<script[ >]' out | wc -l)" = "$(grep -o -i '</script' out | wc -l)" ] &&
		! grep -q -i '<img\|<b>\|-->' out
}

all_of() { # NAME RECORDING
	name=$1 recording=$2
	for view in $views; do
		report "$view"
		shown "$name $view" true
		report "$view" --color always
		without_colours
		shown "$name $view in colours" true
		report "$view" --json
		shown "$name $view as JSON" jq -e .trace out
		report "$view" --format csv
		[ $status -eq 2 ] || shown "$name $view as CSV" no_formula
	done
	for view in chains off-cpu on-cpu; do
		report --$view --folded
		shown "$name --$view folded" folded
		report --$view --format svg
		shown "$name --$view as SVG" xmllint --noout out
	done
	report --graph --format dot
	perl -pi -e 's/^\t//' out
	shown "$name --graph as dot" grep -q '^}' out
	report --format html
	shown "$name as a page" scripts_are_ours
	differences_of "$name" "$recording"
}

diff() { # OPTION...
	"$FTWAIT" diff "$recording" "$folder/other.dat" --all "$@" > out 2> errors
	status=$?
}

# Against a recording of other tasks.
differences_of() { # NAME RECORDING
	name=$1 recording=$2
	diff
	shown "$name: diff" true
	diff --json
	shown "$name: diff as JSON" jq -e '.diff.rows | length > 0' out
	diff --format csv
	shown "$name: diff as CSV" no_formula
	diff --format folded
	shown "$name: diff folded" grep -q '^[^ ][^ ]* [0-9][0-9]* [0-9][0-9]*$' out
	diff --format html
	shown "$name: diff as a page" scripts_are_ours
}

perl -pe 's/%([0-9a-f]{2})/chr hex $1/ge' "$here/schedule.txt" | "$build/mktrace" -o made.dat || exit 1
"$build/mktrace" -o other.dat "$here/../golden/schedules/disks.txt" || exit 1
all_of made "$folder/made.dat"
report --waits --json
shown "made: its disk and its locked file are in it" jq -e '
	([.waits[].cause.disk // empty | select(test("</script>"))] | length > 0) and
	([.waits[].cause.file // empty | select(test("</script>"))] | length > 0)' out
# what is advised is pasted into a shell
report --lock
if grep -q -F "(ftwait record -e '=1+1,\",syscalls' --stacks -- COMMAND)" out; then
	passed=$((passed + 1))
else
	fail "advice: $(grep 'ftwait record' out)"
fi

. "$here/../live/tracing.sh"
if [ -n "$tracing" ]; then
	cp /bin/true "$(printf '%s/\033[31m\n=cmd \342\200\256"<script>' "$folder")" || exit 1
	"$FTWAIT" record -q -e default,signal -o live.dat -- perl "$here/hostile.pl" "$folder" "$tracing/trace_marker" \
		> out 2> errors
	status=$?
	shown "live: recording" [ -s live.dat ]
	all_of live "$folder/live.dat"
	report --processes --json
	shown "live: its programs are in it" jq -e '[.processes.processes[].execs[] |
		select(.filename | test("=cmd"))] | length > 0' out
	shown "live: its marks are in it" jq -e '[.processes.marks[] | select(.text | test("</script>"))] |
		length > 0' out
else
	echo "SKIP hostile live: no tracefs that this user may write to"
	skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
