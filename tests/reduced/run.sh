#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY REDUCED: a program that was built with VIEWS="waits critical-path" beside the
# one of BUILD_DIRECTORY: says of its views what that one says, and of the others that they are not
# there. The last line counts.
set -u

whole=$1/ftwait
reduced=$2/ftwait
passed=0 failed=0
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-reduced.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

expect() { # WHAT TEST...
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		echo "FAIL $what"
		sed 's/^/    /' "$folder/errors"
		failed=$((failed + 1))
	fi
}

# says STATUS PATTERN ARGUMENT...: ends so, and has such a line on standard error
says() {
	wanted=$1 pattern=$2
	shift 2
	"$reduced" report "$@" > "$folder/out" 2> "$folder/errors"
	[ $? -eq "$wanted" ] && grep -q -e "$pattern" "$folder/errors"
}

same() { # FILE ARGUMENT...: both programs write the same
	"$whole" report "$@" > "$folder/whole" 2> "$folder/errors"
	"$reduced" report "$@" > "$folder/out" 2> "$folder/errors" && cmp -s "$folder/whole" "$folder/out"
}

for trace in fixtures/*.dat; do
	for view in summary waits critical-path; do
		expect "$trace --$view" same "$trace" --$view --json
	done
	expect "$trace" same "$trace"
done
"$reduced" report --help > "$folder/help" 2> "$folder/errors"
expect "help: what is there" [ "$(grep -c -e '^      --summary ' -e '^      --critical-path' \
	-e '^      --waits ' "$folder/help")" = 3 ]
expect "help: not what is not" [ "$(grep -c '^      --\(irq\|disk\|chains\) ' "$folder/help")" = 0 ]
expect "help: names it" grep -q '^This program was built without --chains, --off-cpu, --on-cpu, --timeline' "$folder/help"
expect "an absent view" says 2 'option --irq: this program was built without it' --irq
expect "no view at all" says 2 'unknown option --irqs' --irqs
expect "the form of an absent view" says 2 '--format dot: shows --graph, which this program' \
	--format dot "$trace"
expect "the form of absent views" says 2 '--format svg: this program was built without the views' \
	--format svg "$trace"
expect "what only absent views heed" says 0 '--fold-wakes has no effect without --critical-path or --waits' \
	--fold-wakes "$trace"
expect "it is smaller" [ "$(size "$reduced" | awk 'NR == 2 { print $1 }')" -lt \
	"$(size "$whole" | awk 'NR == 2 { print $1 }')" ]
expect "nothing of an absent view is in it" [ "$(nm "$reduced" | grep -c -e irq_analysis -e disk_analysis)" = 0 ]
expect "an unknown view is no build" [ "$(make -n VIEWS=nosuch 2>&1 | grep -c 'there is no view nosuch')" = 1 ]
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
