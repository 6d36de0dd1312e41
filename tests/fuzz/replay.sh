#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The corpora of the fuzz targets, and random damage to them: replay.sh BUILD_DIRECTORY [--quick].
# --quick damages each corpus 25 times, else FTWAIT_FUZZ_RUNS times; with FTWAIT_FUZZ_SEED as in
# mutate_main.c.
set -u

build=$1
if [ "${2:-}" = --quick ]; then
	FTWAIT_FUZZ_RUNS=25
	export FTWAIT_FUZZ_RUNS
fi
passed=0 failed=0

run() {
	if "$@" > "$build/fuzz.log" 2>&1; then
		passed=$((passed + 1))
		sed -n 's/^mutate: \(.*\), seed \([0-9]*\)$/seed of '"$(basename "$1")"': \2, \1/p' "$build/fuzz.log"
	else
		failed=$((failed + 1))
		echo "FAIL $*"
		tail -n 20 "$build/fuzz.log"
	fi
}

for target in datfile perfetto live page machine unpack budget condition format; do
	run "$build/replay-$target" "fixtures/corpus/$target"
	run "$build/mutate-$target" "fixtures/corpus/$target"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
