# SPDX-License-Identifier: GPL-2.0-or-later
# help_topics.awk PAGE...: the sections of manual pages that "ftwait help NAME" prints, as text of at
# most 80 columns. Which macros of mdoc(7) it understands is below; tests/lint/help_topics.sh compares
# the text with that of mandoc.
#
# A line that begins with a tab begins a topic: its level, its kind, its names with | between, and the
# line to show, with tabs between. It ends before the next such line of the same or a lower
# level; a line that has only a level ends it, too.

BEGIN {
	WIDTH = 78
	SECTION = 1; VIEW = 2; ITEM = 3
	kind_of["COLUMNS"] = kind_of["VIEWS"] = "column"
	kind_of["CAUSES"] = "cause"
	kind_of["STALLS"] = "stall"
	kind_of["Groups of events"] = "group"
	name_of["Groups of events"] = "groups"
	split("Fl Ar Cm Li Ql Dv Ev Pa Em Sy Va Fn Ic No Sx Xr Pq Op Ns", names, " ")
	for (i in names)
		is_macro[names[i]] = 1
}

function unescaped(text) {
	gsub(/\\&/, "", text)
	gsub(/\\-/, "-", text)
	gsub(/\\\(ga/, "`", text)
	gsub(/\\e/, "\\", text)
	return text
}

function is_closing(word) {
	return word ~ /^[].,:;)?!]$/
}

# The arguments of a macro line as word[1..count]; blanks in double quotes do not separate.
function split_words(text,    part) {
	count = 0
	while (match(text, /^ *("[^"]*"|[^ ]+)/)) {
		part = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		sub(/^ */, "", part)
		is_quoted[++count] = part ~ /^"/
		gsub(/^"|"$/, "", part)
		word[count] = part
	}
}

function joined(left, right) {
	return left == "" || is_glued ? left right : left " " right
}

# What follows a macro up to the next one, or to closing marks at its end; moves `at` behind it.
function arguments(prefix,    text) {
	text = ""
	while (at <= count && !(word[at] in is_macro && !is_quoted[at]) && !is_end(at))
		if (is_closing(word[at]))
			text = text word[at++]
		else
			text = text (text == "" ? "" : " ") prefix unescaped(word[at++])
	return text
}

function is_end(from) {
	while (from <= count && is_closing(word[from]))
		from++
	return from > count || from > at && word[from] in is_macro
}

# "a (b) c" for `a ) Pq b`: the rest of the line in marks, closing marks at the end outside.
function enclosed(before, after,    last, tail, text) {
	tail = ""
	for (last = count; last >= at && is_closing(word[last]); last--)
		tail = word[last] tail
	count = last
	text = phrase()
	return before text after tail
}

# The words from `at` on, as text.
function phrase(    text, macro, part) {
	text = ""
	is_glued = 0
	while (at <= count) {
		macro = word[at] in is_macro && !is_quoted[at] ? word[at++] : ""
		if (macro == "Ns") {
			is_glued = 1
			continue
		}
		if (macro == "Pq" || macro == "Op") {
			glue = is_glued
			part = macro == "Pq" ? enclosed("(", ")") : enclosed("[", "]")
			is_glued = glue
		} else if (macro == "" && is_closing(word[at])) {
			part = word[at++]
			is_glued = 1
		} else {
			part = arguments(macro == "Fl" ? "-" : "")
			if (macro == "" && part == "")
				part = unescaped(word[at++])
			if (macro == "Xr")
				sub(/ /, "(", part)
			if (macro == "Xr")
				part = part ")"
			if (macro == "Ql")
				part = "'" part "'"
			if (macro == "Fl" && part == "")
				part = "-"
		}
		text = joined(text, part)
		is_glued = 0
	}
	return text
}

function line_text(text) {
	split_words(text)
	at = 1
	return phrase()
}

# Prints a line, which begins a topic if one is to begin.
function emit(line) {
	print begun line
	begun = ""
}

# The words that are kept, as lines from the indentation on; `lead` is on the first one already.
function flush(    line, words, n, i, room) {
	n = split(kept, words, " ")
	line = lead
	room = length(lead) > 0
	for (i = 1; i <= n; i++) {
		if (room && length(line) > indent && length(line) + 1 + length(words[i]) > WIDTH) {
			emit(line)
			line = ""
		}
		if (length(line) < indent || line == "")
			line = sprintf("%-" indent "s", line) words[i]
		else
			line = line (line ~ / $/ ? "" : " ") words[i]
		room = 1
	}
	if (n || lead != "")
		emit(line)
	kept = lead = ""
}

function keep(text) {
	kept = kept == "" ? text : kept " " text
}

function blank() {
	flush()
	if (!is_fresh)
		print ""
	is_fresh = 1
}

function topic_end(level) {
	flush()
	if (level <= open_level)
		print "\t" level
}

# The next line that is printed begins a topic.
function topic_begin(level, kind, names) {
	flush()
	begun = "\t" level "\t" kind "\t" names "\t"
	open_level = level
	is_fresh = 0
}

# The names that a head consists of. LATE P50 / P99 / MAX is LATE MAX on a narrow terminal, and LATE is
# short for it.
function names_in(head,    stem) {
	if (kind_of[section] != "column")
		gsub(/, /, "|", head)
	stem = head
	return sub(/ P50 \/ P99 \/ MAX$/, "", stem) ? head "|" stem " MAX|" stem : head
}

/^\.\\"/ { next }
/^\.S[hs] / {
	title = substr($0, 5)
	if (!is_on || /^\.Sh/ || section == "Groups of events") {
		if (is_on)
			topic_end(SECTION)
		section = title
		is_on = section in kind_of
		depth = 0
		indent = 2
		if (is_on)
			topic_begin(SECTION, "section", section in name_of ? name_of[section] : tolower(section))
		if (is_on)
			emit(section)
		next
	}
	flush()
	topic_begin(VIEW, "view", title)
	emit("View " title ": ftwait report FILE --" title)
	blank()
	next
}
!is_on { next }
/^\.Pp/ { blank(); next }
/^\.Bd/ { blank(); is_literal = 1; next }
/^\.Ed/ { is_literal = 0; is_fresh = 0; blank(); next }
is_literal { emit(sprintf("%" indent "s", "") unescaped($0)); next }
/^\.Dl / { flush(); emit(sprintf("%" (indent + 2) "s", "") line_text(substr($0, 5))); is_fresh = 0; next }
/^\.Bl / {
	flush()
	depth++
	outer[depth] = indent
	is_bullet[depth] = /-bullet/
	tag = match($0, /-width "[^"]*"/) ? RLENGTH - 9 : match($0, /-width [^ ]+/) ? RLENGTH - 7 : 2
	if (tag > 16)
		tag = 16
	tag_room[depth] = is_bullet[depth] ? 2 : tag < 6 ? 6 : tag + 2
	next
}
/^\.It/ {
	flush()
	indent = outer[depth] + tag_room[depth] + (is_bullet[depth] ? 0 : 2)
	if (is_bullet[depth]) {
		lead = sprintf("%" outer[depth] "s- ", "")
	} else {
		head = line_text(substr($0, 5))
		if (/^\.It (Li|Cm) /)
			topic_begin(ITEM, kind_of[section], names_in(head))
		lead = sprintf("%" (outer[depth] + 2) "s%s", "", head)
		if (length(lead) + 2 > indent)
			flush()
	}
	is_fresh = 0
	next
}
/^\.El/ {
	flush()
	topic_end(ITEM)
	open_level = ITEM - 1
	indent = outer[depth--]
	is_fresh = 0
	next
}
{ keep(/^\.[A-Z]/ ? line_text(substr($0, 2)) : unescaped($0)); is_fresh = 0 }
END { if (is_on) topic_end(SECTION) }
