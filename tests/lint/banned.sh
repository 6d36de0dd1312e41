#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that have no place in the source, and those that have only one. Comments are not looked at.
set -u

bad=0

# Lines of code without comments and without the text of strings.
code() {
	sed -e 's,/\*.*\*/,,g' -e 's,//.*,,' -e 's,^[[:space:]]*\*\( .*\|/.*\|\)$,,' -e 's,^[[:space:]]*/\*.*,,' \
		-e 's/"\([^"\\]\|\\.\)*"/""/g' "$1"
}

ban() { # WHY WORDS FILE...
	why=$1 words=$2
	shift 2
	for file in "$@"; do
		[ -f "$file" ] || continue
		if code "$file" | grep -nE "(^|[^a-zA-Z0-9_>.])($words)[[:space:]]*\(" > /tmp/banned.$$; then
			sed "s,^,$file:," /tmp/banned.$$
			echo "  $why"
			bad=1
		fi
	done
	rm -f /tmp/banned.$$
}

except() { # FILE... -- FILE...: the first ones without the last ones
	all="" seen=0
	for file in "$@"; do
		case $seen$file in
		0--) seen=1 ;;
		0*) all="$all $file" ;;
		*) all=$(echo "$all" | tr ' ' '\n' | grep -vFx "$file" | tr '\n' ' ') ;;
		esac
	done
	echo "$all"
}

# shellcheck disable=SC2046,SC2086 # lists of files
{
	every=$(echo src/*/*.[ch] include/ftwait/*.h)
	ban "use the buffer or snprintf" 'strcpy|strcat|sprintf|vsprintf|strtok|gets' $every
	ban "use base/parse.h" 'atoi|atol|atoll|atof' $every
	ban "use base/parse.h" 'strtol|strtoul|strtoll|strtoull|strtod' \
		$(except $every -- src/base/parse.c src/decode/*.c src/source/*.c)
	ban "return -errno; only main and children exit" '_?_?exit|abort' \
		$(except $every -- src/cmd/main.c src/base/xalloc.c src/capture/child.c \
			src/capture/mark_copy.c src/cmd/completion_answer.c src/cmd/pager.c \
			src/reference/tracecmd_source.c src/reference/tracecmd_child.c)
	ban "the library is silent" 'printf|vprintf|puts|putchar|perror' \
		$(except $every -- src/cmd/*.[ch] src/present/*.[ch])
	ban "the library is silent" 'fprintf|vfprintf|fputs|fputc' \
		$(except $every -- src/cmd/*.[ch] src/present/*.[ch] src/base/message.c src/base/status_line.c \
			src/base/xalloc.c)
	ban "time zones are not our business" 'gmtime|localtime|ctime|asctime' $every
	ban "a program is started by fork and exec" 'system|popen' $every
}
exit $bad
