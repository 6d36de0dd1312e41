#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: a flame graph in Chromium, where that is installed: zooming, going back,
# searching, no request. The last line counts.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-browser.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

skip() { # REASON
	echo "SKIP browser: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

# what the page of that address has become when its scripts have run
page() {
	timeout 60 "$browser" --headless --no-sandbox --user-data-dir="$folder/profile" --dump-dom \
		"$1" 2> "$folder/errors"
}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip "Chromium is not installed"
page 'data:text/html,<p>drawn</p>' | grep -q drawn || skip "$browser does not run here"
"$build/mktrace" -o "$folder/run.dat" "$here/../golden/schedules/database.txt" &&
	"$build/ftwait" report "$folder/run.dat" --format svg -o "$folder/run.svg" || exit 1
{
	sed '$d' "$folder/run.svg"
	echo '<script><![CDATA['
	cat "$here/check_svg.js"
	echo ']]></script></svg>'
} > "$folder/checked.svg"
page "file://$folder/checked.svg" > "$folder/dom"
if grep -q 'data-failed="nothing"' "$folder/dom"; then
	echo "1 passed, 0 failed, 0 skipped"
	exit 0
fi
echo "FAIL browser: $(grep -o 'data-failed="[^"]*"' "$folder/dom" || tail -n 5 "$folder/errors")"
echo "0 passed, 1 failed, 0 skipped"
exit 1
