#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A guest that `trace-cmd record -A` recorded by an agent on the network, with its host (fixtures/agent):
# agent.sh, with FTWAIT. trace-cmd was 20.5 ms wrong about the guest's clock, as the guest's network
# delayed acknowledgements; what the clocks really were is known from outside, to within 0.15 ms.
set -u
FTWAIT=$(realpath "$FTWAIT")
cd "$(dirname "$0")/../../fixtures/agent" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

check() { # WHAT FILTER FILE...
	what=$1 filter=$2
	shift 2
	if [ -s "$1" ] && jq -s -e "$filter" "$@" > /dev/null 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL recordings agent: $what"
		failed=$((failed + 1))
	fi
}

report() { # NAME ARGUMENT...
	name=$1
	shift
	"$FTWAIT" report --json "$@" > "$scratch/$name" 2> "$scratch/errors"
}

report guest guest.dat.zst --summary
report both host.dat.zst guest.dat.zst --summary
report turned guest.dat.zst host.dat.zst --summary
report path host.dat.zst guest.dat.zst --critical-path=rec:wl-client
report counter counter.dat.zst --summary

# as `trace-cmd report -t` shows them; the first event is of CPU 1, which it moves by other samples
check "times are those of libtracecmd" '.[0].trace |
	(.begin_ns - 11988215976 | fabs) < 700000 and .end_ns == 47946476399' "$scratch/guest"
check "both CPUs have one clock" '.[0].health | .waits_without_waker == 0 and
	any(.notes[]; contains("differs by up to 634.144 us"))' "$scratch/guest"
# the stamps in the file are from 15790353021 to 51748468599
check "packets correct what trace-cmd measured" '(.[0].trace | (.begin_ns - 15790353021 +
	.end_ns - 51748468599) / 2) as $measured | .[1].trace.machines[1] |
	.offset_ns > 19000000 and .bound_ns < 1000000 and .matched >= 60 and
	(($measured + .offset_ns + 3781280000) | fabs) < .bound_ns + 150000' \
	"$scratch/guest" "$scratch/both"
check "the report says so" '.[0].health.notes | any(.[];
	contains("measured of the clocks of rec and agent is wrong by 20.736 ms"))' "$scratch/both"
check "the order of files changes only signs" '.[0].trace.machines[1] as $guest |
	.[1].trace.machines[1] | .matched == $guest.matched and .bound_ns == $guest.bound_ns and
	.offset_ns == -$guest.offset_ns' "$scratch/both" "$scratch/turned"
check "the path leads into the guest" '.[0].critical_path | ([.parts[] | select(.machine == 1 and
	.comm == "wl-server" and .state == "running") | .end_ns - .begin_ns] | add) > 20000000 and
	([.parts[] | .end_ns - .begin_ns] | add) == .end_ns - .begin_ns' "$scratch/path"
# recorded without -C
check "a counter is not taken for nanoseconds" '.[0] | .trace.begin_ns == 22269373990 and
	.health.input_damaged and any(.health.notes[]; contains("different units"))' \
	"$scratch/counter"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
