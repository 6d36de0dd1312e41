#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: real recordings with one wrong number, or a part missing or twice (mutants.c):
# those of fixtures/, as trace.dat and as streams, small ones of mktrace that are not packed, and, of
# each fourth mutant's worth, those of the folders in FTWAIT_TRACES. MUTANTS=5000 takes longer.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-mutants.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
FTWAIT=$build/ftwait
export FTWAIT
skipped=0
views=$("$here/tests/tools/views.sh" "$FTWAIT" --options) || exit 1
# shellcheck disable=SC2086 # words
views=$(printf -- '%s ' $views)

for archive in "$here"/fixtures/streams/*.tar.gz; do
	tar -xzf "$archive" -C "$scratch" || exit 1
done
schedule=$here/tests/golden/schedules/database.txt
"$build/mktrace" -o "$scratch/version6.dat" "$schedule" || exit 1
"$build/mktrace" -7 -o "$scratch/version7.dat" "$schedule" || exit 1
# shellcheck disable=SC2086 # options
"$build/mutants" $views "$here"/fixtures/*.dat "$scratch"/*.dat > "$build/mutants.log" 2>&1
status=$?

cd "$here" || exit 1
others=
mkdir "$scratch/named"
named=$(tests/tools/recordings.sh "$scratch/named") || exit 1
for folder in $(echo "$named" | tr : ' '); do
	[ -d "$folder" ] && others="$others $(find "$folder" -name '*.dat' | sort | tr '\n' ' ')"
done
if [ -n "$others" ]; then
	# shellcheck disable=SC2086 # options and files
	MUTANTS=$((${MUTANTS:-300} / 4)) "$build/mutants" $views $others >> "$build/mutants.log" 2>&1 || status=1
else
	echo "SKIP mutants: no folder of FTWAIT_TRACES exists; only fixtures/ was read"
	skipped=1
fi
grep -v ' passed, ' "$build/mutants.log"
awk -v skipped=$skipped '/ passed, / { passed += $1; failed += $3 }
	END { print passed + 0 " passed, " failed + 0 " failed, " skipped " skipped" }' "$build/mutants.log"
exit $status
