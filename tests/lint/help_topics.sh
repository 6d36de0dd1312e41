#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "ftwait help NAME" prints, which src/cmd/help_topics.awk makes of manual pages: each view, group of
# events, kind of cause and stall stands there exactly once (columns: heads.sh); what is said of a
# view begins with the question that it answers, and has an example, the columns and what must be
# recorded; lines have at most 80 columns, and the words that mandoc prints, in the same order.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

awk -f src/cmd/help_topics.awk man/ftwait-views.7 man/ftwait-record.1 > "$work/topics"

once() { # KIND LEAST: the names on standard input are those of the topics
	sort > "$work/names"
	[ "$(wc -l < "$work/names")" -ge "$2" ] || {
		echo "only $(wc -l < "$work/names") names of kind $1 are found in src"
		bad=1
	}
	sed -n "s/^	[123]	$1	\([^	]*\)	.*/\1/p" "$work/topics" | sort | diff "$work/names" - > "$work/said" || {
		echo "$1: what src has (<) and what the manual has (>):"
		cat "$work/said"
		bad=1
	}
}

cat src/views/*_analysis.c src/views/*/*_analysis.c > "$work/views.c"
sed -n 's/^\t\.name = "\([a-z-]*\)",.*/\1/p' "$work/views.c" > "$work/views"
once view 20 < "$work/views"
sed -n 's/^\t\t\.name = "\([a-z-]*\)".*/\1/p' src/words/cause/cause_kind.c > "$work/causes"
once cause 20 < "$work/causes"
sed -n 's/^\t\t\.key = "\([a-z-]*\)",$/\1/p' src/words/cause/stall.c > "$work/stalls"
once stall 8 < "$work/stalls"
sed -n '/event_groups\[\] = {/,/^};/s/^\t{\("[a-z_]*", [^,]*\),.*/\1/p' src/catalog/tracepoint.c |
	sed 's/, NULL//; s/, /|/; s/"//g' > "$work/groups"
once group 15 < "$work/groups"

awk '
	function view_end() {
		if (view != "" && !(question && example && columns && recorded)) {
			print "ftwait-views(7): " view " lacks its" (question ? "" : " question") (example ? "" : " example") \
				(columns ? "" : " Columns:") (recorded ? "" : " Must be recorded:")
			bad = 1
		}
		view = ""
	}
	/^\t[12]/ { view_end() }
	/^\t2\tview/ {
		split($0, field, "\t")
		view = field[4]
		text = ""
		question = example = columns = recorded = 0
		next
	}
	/^  [^ ]/ && text !~ /[.?]/ {
		text = text " " $0
		question = text ~ /^[^.]*\?/
	}
	/^  \$ ftwait report fixtures\// { example = 1 }
	/^  Columns: ?/ { columns = 1 }
	/^  Must be recorded: [^ ]/ { recorded = 1 }
	END { view_end(); exit bad }' "$work/topics" || bad=1

# a topic of a view begins with how to ask for it, its section with its name
sed -e '/^	[123]$/d' -e 's/^	2	view	\([^	]*\)	.*/\1/' -e 's/^	[123]	[^	]*	[^	]*	//' "$work/topics" > "$work/text"
awk 'length($0) > 80 { print "longer than 80 columns: " $0; bad = 1 } END { exit bad }' "$work/text" || bad=1
command -v mandoc > /dev/null || exit $bad

# sections of a page as mandoc prints them: from the head FROM to before the head TO
printed() { # PAGE FROM TO
	mandoc -T ascii -O width=80 "$1" | col -b | sed -n "/^ *$2\$/,/^ *$3\$/p" | sed '$d'
}

# mandoc may quote as `this', and break a line behind a hyphen
words() {
	tr '`' "'" | tr -s ' \t\n' '\n' | awk '/./ { printf "%s%s", $0, /-$/ ? "" : "\n" }'
}

{
	printed man/ftwait-views.7 VIEWS 'SEE ALSO'
	printed man/ftwait-record.1 'Groups of events' 'How to record'
} | words > "$work/mandoc"
words < "$work/text" | diff "$work/mandoc" - > "$work/said" || {
	echo "mandoc (<) and src/cmd/help_topics.awk (>) read the pages in different ways:"
	head -n 20 "$work/said"
	bad=1
}
exit $bad
