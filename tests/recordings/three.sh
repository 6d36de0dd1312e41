#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three machines on one wire, each with a clock of its own (fixtures/three), against what their
# programs noted by these clocks: three.sh, with FTWAIT. For each request of the client, its path in
# the time from before send() to after recv() must be at the database no longer than from the server's
# send() to its recv(), and no shorter than from its recv() to its send(), or than the server waited, if
# that is less, but for 3 ms on the wire; and the clocks must be what was measured from outside.
set -u
FTWAIT=$(realpath "$FTWAIT")
cd "$(dirname "$0")/../../fixtures/three" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

check() { # WHAT TEST-COMMAND...
	what=$1
	shift
	if "$@" > /dev/null 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL recordings three machines: $what"
		failed=$((failed + 1))
	fi
}

report() {
	"$FTWAIT" report client.dat.zst server.dat.zst db.dat.zst --json "$@" 2> "$scratch/errors"
}

is_true() { # FILTER ARGUMENT...
	filter=$1
	shift
	[ -s "$scratch/report" ] && jq -e "$@" "$filter" "$scratch/report"
}

instant() { # ROLE STEP NUMBER
	awk -v step="$2" -v number="$3" '$3 == step && $4 == number { print $5 }' "$1.log"
}

seconds() { # NANOSECONDS
	echo "$(($1 / 1000000000)).$(printf '%09d' $(($1 % 1000000000)))"
}

report --summary > "$scratch/report"
# as measured from outside, to within 0.1 ms
check "the server's clock" is_true '.trace.machines[1] | .bound_ns < 1000000 and
	((.offset_ns + 3471733715) | fabs) < .bound_ns'
check "the database's clock" is_true '.trace.machines[2] | .bound_ns < 2000000 and
	((.offset_ns + 4176956877) | fabs) < .bound_ns'
for number in $(seq 0 31); do
	report --critical-path=client:client \
		--from "$(seconds "$(instant client send "$number")")" \
		--to "$(seconds "$(instant client got "$number")")" > "$scratch/report"
	took=$(($(instant db reply "$number") - $(instant db got "$number")))
	waited=$(($(instant server answer "$number") - $(instant server asked "$number")))
	least=$((took < waited ? took : waited))
	most=$(($(instant server answer "$number") - $(instant server ask "$number")))
	# shellcheck disable=SC2016 # variables of jq
	check "request $number is at the database for $least to $most ns" is_true '
		([.critical_path.parts[] | select(.machine == 2 and .cause.kind != "net") |
			.end_ns - .begin_ns] | add) as $time |
		$time >= $least - 3000000 and $time <= $most' \
		--argjson least "$least" --argjson most "$most"
	check "request $number tiles" is_true '
		.critical_path | (([.parts[] | .end_ns - .begin_ns] | add) == .end_ns - .begin_ns)'
done
report --critical-path=client:client > "$scratch/report"
check "the order of parts within the bound of the clocks is not known" is_true '
	[.critical_path.parts[] | select(.cause.clock_bound_ns) |
		(.end_ns - .begin_ns < .cause.clock_bound_ns) == (.cause.order_unknown == true)] |
	length > 20 and all'
"$FTWAIT" report client.dat.zst server.dat.zst db.dat.zst --critical-path=client:client --top 0 \
	> "$scratch/text" 2> "$scratch/errors"
check "the text says so" grep -q 'eth0 from .*(+-.* us, order not known)' "$scratch/text"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
