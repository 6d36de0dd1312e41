#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quick.sh BUILD_DIRECTORY: does it record, and are the answers right, on this kernel? In half a minute: some
# oracles (those of LIVE_QUICK_ORACLES in tests/tests.mk) and the cases of quick/. The last line counts.
set -u

build=$1
here=$(dirname "$0")
oracles=$(sed -n 's/^LIVE_QUICK_ORACLES := //p' "$here/../tests.mk")

{
	# shellcheck disable=SC2086 # names
	"$here/run.sh" "$build" $oracles
	"$here/record/run.sh" "$build" "$here/quick"
} 2>&1 | "$here/../tools/sum_counts.sh" live-quick 2
