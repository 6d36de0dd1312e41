#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of other people's machines: run.sh BUILD_DIRECTORY. Folders of trace.dat files, which may have an
# expected.json, are named by FTWAIT_TRACES (colon separated), by default shared folders beside the
# project; the project's own recordings in fixtures/ always take part.
set -u

build=$1
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
trap 'exit 130' INT TERM
named=$(tests/tools/recordings.sh "$made") || exit 1
folders=fixtures
for folder in $(echo "$named" | tr : ' '); do
	[ -d "$folder" ] && folders="$folders $folder"
done
FTWAIT=$build/ftwait
export FTWAIT
# shellcheck disable=SC2086 # a list of folders
"$build/recordings" $folders > "$build/recordings.log" 2>&1
status=$?
# shellcheck disable=SC2086 # a list of folders
"$build/widths" $folders > "$build/widths.log" 2>&1 || status=1
# shellcheck disable=SC2086 # a list of folders
"$build/threads" $folders > "$build/threads.log" 2>&1 || status=1
# few recordings are of both ends of a connection
for vector in tests/vectors/V-net-*.vec tests/vectors/N5-*.vec; do
	sed '/^---$/,$d' "$vector" | "$build/mktrace" > "$made/$(basename "$vector" .vec).dat"
done
# shellcheck disable=SC2086 # a list of folders
tests/recordings/agree.sh $folders "$made" > "$build/agree.log" 2>&1 || status=1
# shellcheck disable=SC2086 # a list of folders
tests/recordings/rows.sh "$build" $folders > "$build/rows.log" 2>&1 || status=1
# shellcheck disable=SC2086 # a list of folders
tests/recordings/text.sh $folders > "$build/text.log" 2>&1 || status=1
# shellcheck disable=SC2086 # a list of folders
tests/recordings/perfetto.sh $folders > "$build/there_and_back.log" 2>&1 || status=1
# shellcheck disable=SC2086 # a list of folders
tests/recordings/count.sh $folders > "$build/count.log" 2>&1 || status=1
tests/recordings/three.sh > "$build/three.log" 2>&1 || status=1
tests/recordings/agent.sh > "$build/agent.log" 2>&1 || status=1
# one line of counts for all
counts=$(tail -q -n 1 "$build/recordings.log" "$build/widths.log" "$build/threads.log" "$build/agree.log" \
	"$build/rows.log" "$build/text.log" "$build/there_and_back.log" "$build/count.log" \
	"$build/three.log" "$build/agent.log" |
	awk '{ passed += $1; failed += $3; skipped += $5 }
		END { print passed " passed, " failed " failed, " skipped " skipped" }')
sed -i '$d' "$build/recordings.log"
sed '$d' "$build/widths.log" >> "$build/recordings.log"
sed '$d' "$build/threads.log" >> "$build/recordings.log"
sed '$d' "$build/agree.log" >> "$build/recordings.log"
sed '$d' "$build/rows.log" >> "$build/recordings.log"
sed '$d' "$build/text.log" >> "$build/recordings.log"
sed '$d' "$build/there_and_back.log" >> "$build/recordings.log"
sed '$d' "$build/count.log" >> "$build/recordings.log"
sed '$d' "$build/three.log" >> "$build/recordings.log"
sed '$d' "$build/agent.log" >> "$build/recordings.log"
echo "$counts" >> "$build/recordings.log"
if [ "$folders" = fixtures ]; then
	echo "SKIP recordings: no folder of FTWAIT_TRACES exists; only fixtures/ was read"
	sed '$d' "$build/recordings.log"
	tail -n 1 "$build/recordings.log" | sed 's/[0-9]* skipped$/1 skipped/'
else
	cat "$build/recordings.log"
fi
exit $status
