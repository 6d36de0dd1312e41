#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names that say nothing, prefixes that belong to libraries, and traces of a developer's machine.
set -u

bad=0
# one header stands in for a library's
headers=$(find src -name "*.h" ! -path "src/recorder/plain/*")
# shellcheck disable=SC2086 # a list of files
functions=$(cat $headers include/ftwait/*.h |
	grep -oE '[a-z_0-9]+\(' | tr -d '(' | sort -u)
for name in $functions; do
	case $name in
	tracefs_* | tep_* | kbuffer_* | tracecmd_* | trace_seq_*)
		grep -q "^[a-z].*[ *]$name(" $headers && {
			echo "$name: this prefix belongs to a library"
			bad=1
		}
		;;
	process_* | do_* | handle_*)
		grep -q "^[a-z].*[ *]$name(" $headers && {
			echo "$name: say what it does"
			bad=1
		}
		;;
	esac
done
# the words in pieces, so that this file does not find itself
if git grep -nE "/wor""k/(main|shared)|/hom""e/[a-z]+/|/tm""p/hp" -- . ':!LICENSE' 2> /dev/null; then
	echo "  a path of somebody's machine"
	bad=1
fi
exit $bad
