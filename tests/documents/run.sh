#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: runs the commands that README, ftwait-tutorial(7) and ftwait-views(7) show on
# recordings of fixtures/, on terminals as wide as there is room, and compares what the documents show with what is
# printed. PRINT=1 prints it instead, to be put there.
set -u

build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-documents.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/bin"
ln -s "$build/ftwait" "$build/terminal" "$scratch/bin"
PATH=$scratch/bin:$PATH TERM=dumb
export PATH TERM
unset COLUMNS NO_COLOR
passed=0 failed=0

fail() { # WHAT FILE
	echo "FAIL documents $1"
	sed 's/^/     /' "$2"
	failed=$((failed + 1))
}

# The comparison must be able to say no: SHOWN PRINTED, with | for the ends of lines.
differs() {
	printf '%s\n' "$1" | tr '|' '\n' > "$scratch/shown"
	printf '%s\n' "$2" | tr '|' '\n' > "$scratch/printed"
	! awk -f tests/documents/compare.awk "$scratch/shown" "$scratch/printed" > /dev/null
}

check_comparison() {
	! differs 'a|b' 'a|b' && ! differs '...|b|...' 'a|b|c' && ! differs 'a|...|d' 'a|b|c|d' &&
		! differs 'a|...' 'a|b' && ! differs '...|a|b|...|c' 'a|a|b|c|b|c' &&
		differs '...' 'a|b' && differs 'a' 'a|b' && differs 'b' 'a|b' && differs '...|b|a|...' 'a|b|c' &&
		differs '...|a|c|...' 'a|b|c' && differs '...|a' 'a|b' && differs 'a|b' 'a' &&
		differs '...|c|...|b|...' 'a|b|c' && differs '...|a|b|c|d' 'b|c|d'
}

examples() { # DOCUMENT STYLE LEAST LOCALE WIDTH
	folder=$scratch/$(basename "$1")
	mkdir "$folder"
	awk -v folder="$folder" -v style="$2" -f tests/documents/examples.awk "$1"
	for command in "$folder"/*.cmd; do
		[ -e "$command" ] || break
		LC_ALL=$4 sh -c "terminal $5 $(cat "$command")" > "$scratch/printed" 2>&1 < /dev/null
		if [ -n "${PRINT:-}" ]; then
			echo "$1: $(cat "$command")"
			cat "$scratch/printed"
		fi
		if awk -f tests/documents/compare.awk "${command%.cmd}.shown" "$scratch/printed" > "$scratch/said"; then
			passed=$((passed + 1))
		else
			{ echo 'but:' && head -n 40 "$scratch/printed"; } >> "$scratch/said"
			fail "$1: $(cat "$command")" "$scratch/said"
		fi
	done
	set -- "$1" "$3" "$folder"/*.cmd
	[ $(($# - 2)) -ge "$2" ] || {
		echo "there are fewer than $2" > "$scratch/said"
		fail "$1: examples" "$scratch/said"
	}
}

if check_comparison; then
	passed=$((passed + 1))
else
	: > "$scratch/said"
	fail "comparison" "$scratch/said"
fi
examples README indent 2 C.UTF-8 76
examples man/ftwait-tutorial.7 mdoc 8 C 72
examples man/ftwait-views.7 mdoc 21 C 72
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
