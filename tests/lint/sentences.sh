#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In each call of say(), say_to() and say_fact() (sentences/say.h) the placeholders of the sentence and the words
# behind it agree in number, order and kind: "{task}" and TASK(); braces and brackets are closed. And
# in the folders whose prose is said by them, no sentence is appended clause by clause: no text of
# buffer_puts() or buffer_printf() begins as a clause does, ", of ..." or " by ...", and the elements
# of lists are separated by {,}.
set -u
bad=0

# shellcheck disable=SC2046 # a list of files
awk '
	# The text with its strings blanked out, so that only code has parentheses and commas.
	function blanked(text,    out, part) {
		out = ""
		while (match(text, /"([^"\\]|\\.)*"/)) {
			part = substr(text, RSTART, RLENGTH)
			gsub(/./, "_", part)
			out = out substr(text, 1, RSTART - 1) part
			text = substr(text, RSTART + RLENGTH)
		}
		return out text
	}
	# Divides the arguments from `at` on, behind the parenthesis; returns their number.
	function divide(text, code, at, args,    depth, from, count, c) {
		depth = 1
		from = at
		count = 0
		for (; depth > 0 && at <= length(code); at++) {
			c = substr(code, at, 1)
			depth += c ~ /[({]/ ? 1 : c ~ /[)}]/ ? -1 : 0
			if ((c == "," && depth == 1) || depth == 0) {
				args[++count] = substr(text, from, at - from)
				from = at + 1
			}
		}
		return count
	}
	function complain(what) {
		printf "%s:%d: %s\n", FILENAME, start, what
		bad = 1
	}
	# The name of the first word of the argument: that of WHEN(is, TASK(x)) is "task"; "absent" if it
	# may be any, as of a function that returns a word.
	function word_name(arg) {
		arg = blanked(arg)
		if (!match(arg, /(^|[^A-Za-z_])(IF|MANY|TEXT|TASK|RANKED|LENT|NAME|FOREIGN|CPU|MACHINE|DEVICE|CAUSE|TIME|SECONDS|INSTANT|PATH|COUNT|NUMBER|DECIMAL|HUNDREDTHS|SHARE|RATIO|SIZE)(_OF|_AT)?\(/))
			return arg ~ /ABSENT|^[ \t]*[a-z_]+\(/ ? "absent" : "?"
		arg = substr(arg, RSTART, RLENGTH)
		gsub(/[^A-Z_]|_OF|_AT/, "", arg)
		return arg == "CLEAN" ? "text" : tolower(arg)
	}
	function check(args, count, at,    sentence, i, name, open, close_) {
		sentence = args[at]
		i = at
		while (match(sentence, /\{[^}]*\}/)) {
			name = substr(sentence, RSTART + 1, RLENGTH - 2)
			sentence = substr(sentence, RSTART + RLENGTH)
			if (name ~ /\|/ || name == ",")
				continue
			if (++i > count)
				complain("{" name "} has no word")
			else if (word_name(args[i]) != name && word_name(args[i]) != "absent")
				complain("{" name "} has the word" args[i])
		}
		if (i < count)
			complain("no placeholder is for" args[i + 1])
		sentence = args[at]
		open = gsub(/\[/, "", sentence)
		close_ = gsub(/\]/, "", sentence)
		if (open != close_)
			complain("its brackets are not closed: " args[at])
	}
	function calls_of(text,    code, at, count, args, has_fact) {
		code = blanked(text)
		at = 1
		while (match(substr(code, at), /(^|[^A-Za-z_])say(_to|_fact)?\(/)) {
			has_fact = substr(code, at + RSTART - 1, RLENGTH) ~ /_fact/
			at += RSTART + RLENGTH - 1
			count = divide(text, code, at, args)
			checked++
			check(args, count, 3 + has_fact)
		}
	}
	# a function is looked at as a whole
	FNR == 1 { inside = 0 }
	/^\{/ { inside = 1; start = FNR; text = "" }
	inside { text = text $0 " " }
	/^\}/ && inside { calls_of(text); inside = 0 }
	END {
		if (checked < 20) {
			print "only " checked + 0 " sentences are found in src"
			bad = 1
		}
		exit bad
	}' $(find src -name '*.c' ! -path 'src/sentences/*' | sort) || bad=1

clause='"([,;] | \(?(of|by|for|in|and|with|has|is|was|were) )[^"]*[a-z]'
list='\? ", " : ""'
if grep -rnE "buffer_(puts|printf)\([^\"]*$clause|$list" \
	src/compare src/flight src/live src/views; then
	echo "a clause that is appended: say the whole sentence by one call of say()"
	bad=1
fi
exit $bad
