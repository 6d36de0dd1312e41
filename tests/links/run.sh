#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The links of rows, "next" in JSON: run.sh BUILD_DIRECTORY [--quick]. A report with these options has rows,
# and contains the task or the object that the row is about.
#
# All views of each recording are asked for; of each table COUNT different links are followed, of which
# LINKS_SEED chooses which; it is printed. --quick takes the recordings of fixtures/ only, and fewer links.
set -u

build=$1
quick=${2:-}
count=${LINKS_COUNT:-30}
folders=fixtures
[ -n "$quick" ] && count=${LINKS_COUNT:-1}
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
trap 'exit 130' INT TERM
if [ -z "$quick" ]; then
	for folder in $(tests/tools/recordings.sh "$made" | tr : ' '); do
		[ -d "$folder" ] && folders="$folders $folder"
	done
fi
seed=${LINKS_SEED:-$(date +%s)}
echo "seed of links: LINKS_SEED=$seed"
passed=0
failed=0
report=$build/ftwait
views=$(tests/tools/views.sh "$report" --options)

fail() { # RECORDING TABLE LINK WHY
	failed=$((failed + 1))
	echo "FAIL links $1: $2: $3: $4"
}

# Lines "TABLE OPTIONS EXPECTED" of the rows that these options show.
links() { # OPTIONS...
	"$report" report -q --json "$@" "${files[@]}" > "$made/report" 2> "$made/errors" || return
	jq -r -f tests/links/rows.jq "$made/report"
}

# Runs them all, as a shell reads them: so they are printed, and pasted.
follow() { # RECORDING
	local number=0 table next why

	rm -rf "$made/shown"
	mkdir "$made/shown"
	while IFS=$'\t' read -r table next _; do
		number=$((number + 1))
		if ! eval "\"\$report\" report -q --json \"\${files[@]}\" $next" \
			> "$made/shown/$number" 2> "$made/errors"; then
			rm "$made/shown/$number"
			fail "$1" "$table" "$next" "$(head -n 1 "$made/errors")"
		elif why=$(grep 'has no effect' "$made/errors"); then
			fail "$1" "$table" "$next" "$why"
		else
			passed=$((passed + 1))
		fi
	done < "$made/links"
	cut -f 3 "$made/links" | jq -s 'to_entries | map({key: (.key + 1 | tostring), value}) | from_entries' \
		> "$made/expected"
	find "$made/shown" -type f -print0 | xargs -0 jq -r --slurpfile expected "$made/expected" \
		-f tests/links/shows.jq > "$made/whys"
	while IFS=$'\t' read -r number why; do
		passed=$((passed - 1))
		fail "$1" "$(sed -n "${number}p" "$made/links" | cut -f 1)" \
			"$(sed -n "${number}p" "$made/links" | cut -f 2)" "$why"
	done < "$made/whys"
}

check() { # NAME FILE...
	local name=$1

	shift
	files=("$@")
	{
		# shellcheck disable=SC2086 # a list of options; no task can be changed where none was recorded
		links --all $views || links --all ${views/--what-if=*=0.5/}
		links --period=1ms --cycles
		links --by cgroup --summary --sched --disk --lock --blame
		for by in comm kind function; do
			links --by $by --waits
		done
	} | sort -u | awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n |
		awk -F '\t' -v count="$count" 'taken[$2]++ < count' | cut -f 2- > "$made/links"
	if [ ! -s "$made/links" ]; then
		fail "$name" "all views" "" "no links: $(head -n 1 "$made/errors")"
		return
	fi
	follow "$name"
}

# shellcheck disable=SC2086 # a list of folders
find $folders -maxdepth 1 -name '*.dat' -size -"${LINKS_SIZE:-8192k}" | sort > "$made/recordings"
while read -r recording <&3; do
	check "$recording" "$recording"
done 3< "$made/recordings"
if command -v zstd > /dev/null; then
	for machine in client server db; do
		zstd -dcq "fixtures/three/$machine.dat.zst" > "$made/$machine.dat"
	done
	check fixtures/three "$made/client.dat" "$made/server.dat" "$made/db.dat"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
