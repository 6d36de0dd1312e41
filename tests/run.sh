#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY SUITE...: runs suites of tests/suites.txt. A line is shown for each when it ends,
# after what it skipped, its seeds and, if it failed, all that it printed. The last line is the sum:
# "N passed, N failed, N skipped".
set -u

build=$1
table=tests/suites.txt
FTWAIT=$build/ftwait
export FTWAIT

column() { # SUITE NUMBER: a column of the suite's row, or from the fifth on the rest of it
	awk -v suite="$1" -v number="$2" '$1 == suite {
		for (i = number + 0; i <= (number < 5 ? number : NF); i++)
			printf "%s%s", (i == number ? "" : " "), $i
	}' $table
}

# "NN%: Checks: N, Failures: N, Errors: N" or "N passed, N failed, N skipped" -> "P F S"
counts() { # LOG
	sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3 c/p' \
		-e 's/^[a-z: ]*\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$1" |
		tail -n 1 | awk '$4 == "c" { print $1 - $2 - $3, $2 + $3, 0; next } { print $1, $2, $3 }'
}

show_suite() { # SUITE LOG STATUS SECONDS PASSED FAILED SKIPPED
	if [ "$3" -ne 0 ] || [ "$6" -ne 0 ]; then
		cat "$2"
	else
		grep -E '^(SKIP|seed)' "$2"
	fi
	echo "$1: $5 passed, $6 failed, $7 skipped ($4 s)"
}

# Adds its counts to the file `counts` of the folder. Output of suites that run at the same time does not mix.
run_suite() { # FOLDER SUITE
	log=$1/$2.log
	began=$(date +%s)
	sh -c "$(column "$2" 5 | sed "s|@|$build|g")" > "$log" 2>&1 < /dev/null
	status=$?
	seconds=$(($(date +%s) - began))
	counted=$(counts "$log")
	case $counted in
	'')
		echo "FAIL $2: status $status and no counts" >> "$log"
		counted='0 1 0'
		;;
	*' 0 '*)
		[ "$status" -eq 0 ] || {
			echo "FAIL $2: status $status" >> "$log"
			counted="${counted%% *} 1 ${counted##* }"
		}
		;;
	esac
	echo "$counted" >> "$1/counts"
	# shellcheck disable=SC2086 # three numbers
	show_suite "$2" "$log" "$status" "$seconds" $counted > "$1/$2.shown"
	flock "$1" cat "$1/$2.shown"
}

shift
if [ "${1:-}" = --one ]; then
	run_suite "$2" "$3"
	exit
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-check.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: > "$work/counts"
FTWAIT_TRACES=$(tests/tools/recordings.sh "$work") || exit 1
export FTWAIT_TRACES

suites_that_run() { # HOW SUITE...
	how=$1
	shift
	for suite in "$@"; do
		[ "$(column "$suite" 3)" != "$how" ] || echo "$suite"
	done
}

suites_that_run beside "$@" | xargs -r -P "$(nproc)" -n 1 sh "$0" "$build" --one "$work"
for suite in $(suites_that_run alone "$@"); do
	run_suite "$work" "$suite"
done
others=$(awk -v run=" $* " '!/^#/ && "," $2 "," ~ ",all," && run !~ " " $1 "(-quick)? "' $table | wc -l)
[ "$others" -eq 0 ] || echo "make check-all runs the other $others suites."
awk -v wanted=$# '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		failed += wanted - NR # suites that were ended before they counted
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0
	}' "$work/counts"
