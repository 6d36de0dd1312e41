#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that have no place in the source, and those that have only one. Comments are not looked at.
set -u

bad=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# FILE:LINE:TEXT of all code, without comments and without the text of strings
# shellcheck disable=SC2046 # a list of files
awk '{ print FILENAME ":" FNR ":" $0 }' $(find src include -name '*.[ch]' | sort) |
	sed -e 's,/\*.*\*/,,g' -e 's,//.*,,' -e 's,\(:[0-9]*:\)[[:space:]]*\*\( .*\|/.*\|\)$,\1,' \
		-e 's,\(:[0-9]*:\)[[:space:]]*/\*.*,\1,' -e 's/"\([^"\\]\|\\.\)*"/""/g' > "$work/code"

ban() { # WHY WORDS [FILES]: a regular expression of the files in which it is allowed
	grep -E "^[^:]*:[0-9]+:(.*[^a-zA-Z0-9_>.])?($2)[[:space:]]*\(" "$work/code" |
		grep -vE "^(${3:-nowhere}):" > "$work/found" || return
	cat "$work/found"
	echo "  $1"
	bad=1
}

ban "use the buffer or snprintf" 'strcpy|strcat|sprintf|vsprintf|strtok|gets'
ban "use base/text/parse.h" 'atoi|atol|atoll|atof'
ban "use base/text/parse.h" 'strtol|strtoul|strtoll|strtoull|strtod' 'src/(base/text/parse|decode/[^/]*|source/.*)\.c'
may_exit='base/xalloc|recorder/machine/(child|peek)|recorder/instance/(capture_session|prepared_instance)|reference/tracecmd_source|raw/event_text(_child)?'
ban "return -errno; only main and children exit" '_?_?exit|abort' \
	"src/($may_exit|cmd/(main|browse/child_process|flight/flight_shots|pager|record/recorder_process|top/top_(browser|ring)))\.c"
ban "the library is silent" 'printf|vprintf|puts|putchar|perror' 'src/(cmd|recorder/run|present)/.*'
ban "the library is silent" 'fprintf|vfprintf|fputs|fputc' \
	'src/((cmd|recorder/run|present)/.*|base/(text/message|text/status_line|xalloc)\.c)'
ban "time zones are not our business" 'gmtime|localtime|ctime|asctime'
ban "a program is started by fork and exec" 'system|popen'
exit $bad
