#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ftwait says of every input at hand, as a hash per output: for changes that must change no
# output. Run it before and after, and compare the two lists with diff.
#
#	tests/tools/corpus.sh BUILD_DIRECTORY > before
#
# Inputs: all vectors and schedules of golden cases, fixtures/, and the folders of FTWAIT_TRACES but
# for recordings of more than CORPUS_BYTES (30 MB). Outputs: each view as text, 80 and 200 columns
# wide, as json and as csv; all of an input as html and perfetto. A line is "HASH INPUT VIEW FORMAT";
# the hash covers standard output, standard error and the status.
set -u

# output INPUT VIEW FORMAT COMMAND...: its line
output() {
	what="$(basename "$1") $2 $3"
	shift 3
	{ "$@"; echo "status $?"; } < /dev/null 2>&1 | sha256sum | sed "s|-\$|$what|"
}

# Everything of one input; relative, so that its folder stands in no output.
one() { # BUILD FILE
	cd "$(dirname "$2")" || exit 1
	file=$(basename "$2")
	for view in $views; do
		for width in 80 200; do
			output "$file" "$view" text$width \
				"$1/terminal" $width "$1/ftwait" report "$file" "--$view"
		done
		output "$file" "$view" json "$1/ftwait" report "$file" "--$view" --json
		output "$file" "$view" csv "$1/ftwait" report "$file" "--$view" --format csv
	done
	output "$file" - html "$1/ftwait" report "$file" --format html
	output "$file" - perfetto "$1/ftwait" report "$file" --format perfetto
}

# The views are $views.
if [ "$1" = --one ]; then
	one "$2" "$3"
	exit
fi

build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
views=$(tests/tools/views.sh "$build/ftwait") || exit 1
export views
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-corpus.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C.UTF-8 TERM=dumb
unset COLUMNS NO_COLOR

# a vector is a schedule, a line "---", and what must be said of it
for vector in tests/vectors/*.vec; do
	sed '/^---$/,$d' "$vector" > "$scratch/schedule"
	"$build/mktrace" -o "$scratch/$(basename "$vector").dat" "$scratch/schedule" || exit 1
done
for schedule in tests/golden/schedules/*.txt; do
	dat=$scratch/$(basename "$schedule").dat
	case $(head -n 1 "$schedule") in
	"# tracer:"* | "# ===="* | "["* | "USER "*) cp "$schedule" "$dat" ;; # a text trace needs no making
	*) "$build/mktrace" -o "$dat" "$schedule" || exit 1 ;;
	esac
done
named=$(tests/tools/recordings.sh "$scratch") || exit 1
{
	find "$scratch" -maxdepth 1 -name '*.dat'
	# shellcheck disable=SC2046 # folders
	find -L fixtures $(echo "$named" | tr : ' ') -name '*.dat' \
		-size -"${CORPUS_BYTES:-30000000}"c -exec readlink -f {} +
} | LC_ALL=C sort | awk -v every="${CORPUS_EVERY:-1}" 'NR % every == 0' |
	xargs -d '\n' -P "$(nproc)" -n 1 sh "$0" --one "$build" | sort -k 2
