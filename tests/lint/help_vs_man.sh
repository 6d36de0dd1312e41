#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every option of "ftwait help COMMAND" stands in the manual page of the command, and the reverse;
# so does, with its option, every value of those that have a fixed set of them. ftwait-json(5) has an
# item for every view and every kind of cause.
# The program is $FTWAIT, or build/ftwait.
set -u

ftwait=${FTWAIT:-build/ftwait}
[ -x "$ftwait" ] || {
	echo "$ftwait is not built"
	exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

help_options() { # COMMAND
	"$ftwait" help "$1" | sed -n \
		-e 's/^  -\([a-zA-Z]\), --\([a-z-]*\).*/-\1 --\2/p' \
		-e 's/^      --\([a-z-]*\).*/--\1/p' | sort
}

man_options() { # PAGE
	sed -n \
		-e 's/^\.It Fl \([a-zA-Z]\) , Fl -\([a-z-]*\).*/-\1 --\2/p' \
		-e 's/^\.It Fl -\([a-z-]*\).*/--\1/p' "$1" | sort
}

help_values() { # COMMAND: a line "OPTION VALUE" each, but for groups of events (help_topics.sh)
	"$ftwait" help --list options "$1" | sed -n 's/^--\([a-z-]*\).*/\1/p' | sort -u | while read -r option; do
		[ "$option" = events ] || "$ftwait" help --list "$option" "$1" 2> /dev/null | sed "s/^/$option /; s/	.*//"
	done
}

man_option() { # PAGE OPTION: what is said of it
	awk -v option="Fl -$2" '
		/^\.It Fl / { is_it = index($0 " ", option " ") }
		is_it' "$1"
}

bad=0
[ "$(help_values report | wc -l)" -gt 80 ] || {
	echo "only $(help_values report | wc -l) values of options of report are found"
	bad=1
}
for command in record report why top diff list doctor cleanup; do
	page=man/ftwait-$command.1
	help_options $command > "$work/help"
	man_options "$page" > "$work/man"
	[ -s "$work/help" ] || {
		echo "\"ftwait help $command\" shows no option"
		bad=1
	}
	comm -23 "$work/help" "$work/man" | sed "s|^|$page lacks: |" | grep . && bad=1
	comm -13 "$work/help" "$work/man" | sed "s|^|$page has, help has not: |" | grep . && bad=1
	help_values $command > "$work/values"
	while read -r option value; do
		man_option "$page" "$option" | grep -qw -e "$value" && continue
		echo "$page does not say what $value is for --$option"
		bad=1
	done < "$work/values"
	grep -q '^\.Sh EXAMPLES' "$page" || {
		echo "$page has no examples"
		bad=1
	}
done
# the table of questions, as it is printed; no view of it or of README's table of other tools is missing
"$ftwait" help questions | sed 1,2d > "$work/help"
sed -n '/^\.Sh QUESTIONS/,/^\.Ed/p' man/ftwait.1 | grep '^  ' | diff "$work/help" - > "$work/said" || {
	echo "man/ftwait.1 has other questions than \"ftwait help questions\":"
	cat "$work/said"
	bad=1
}
sed -n '/^I come from/,/^Two commands/s/.*  report --/--/p' README > "$work/others"
[ "$(wc -l < "$work/others")" -ge 10 ] || {
	echo "README compares fewer than ten commands of other tools"
	bad=1
}
{
	cat "$work/others"
	cat "$work/help"
} | sed 's/(record[^)]*)//g' | grep -oE -e '--[a-z][a-z-]*' | sort -u > "$work/asked"
help_options report | sed 's/^-. //' | sort -u > "$work/known"
comm -23 "$work/asked" "$work/known" | sed 's/^/a table has what is no option of report: /' |
	grep . && bad=1
page=man/ftwait-json.5
{
	tests/tools/views.sh "$ftwait" | tr - _
	help_values report | sed -n 's/^kind //p'
} > "$work/keys"
[ "$(grep -c . "$work/keys")" -gt 30 ] || {
	echo "only $(grep -c . "$work/keys") views and kinds of causes are found"
	bad=1
}
while read -r key; do
	grep -q "^\.It \(.* \)\{0,1\}$key\( .*\)\{0,1\}$" $page && continue
	echo "$page has no item for $key"
	bad=1
done < "$work/keys"
exit $bad
