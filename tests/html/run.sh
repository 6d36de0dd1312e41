#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh: what of the page's scripts needs no browser, under node's own test runner. The last line
# counts.
set -u

here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp "${TMPDIR:-/tmp}/ftwait-html.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

skip() { # REASON
	echo "SKIP html: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

command -v node > /dev/null || skip "node is not installed"
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || skip "node is older than 18"
node --test --test-reporter=tap "$here"/*.test.mjs > "$log" 2>&1
status=$?
count() { # WORD
	sed -n "s/^# $1 \([0-9]*\)\$/\1/p" "$log" | tail -n 1
}
passed=$(count pass) failed=$(count fail)
if [ -z "$passed" ] || [ "$status" -ne 0 ]; then
	cat "$log"
fi
echo "${passed:-0} passed, ${failed:-1} failed, 0 skipped"
[ "$status" -eq 0 ]
