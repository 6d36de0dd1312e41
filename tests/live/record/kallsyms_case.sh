#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Given a copy of /proc/kallsyms, a report of a recording without symbols names functions as a report of
# the same recording with symbols does.
. "$(dirname "$0")/prelude.sh"

need perl
cp /proc/kallsyms kallsyms
grep -qv '^0* ' kallsyms || { echo "the kernel hides its addresses"; exit 77; }
"$FTWAIT" record -q -o named.dat --stacks -d 500ms 2> errors
expect "record" [ $? -eq 0 ]
# blanks the recording's own symbols without changing the size of the file
LC_ALL=C perl -0777 -pe 's/(?<=[\n\0])[0-9a-f]{8,16} [a-zA-Z] [^\n\0]+\n/"\n" x length($&)/ge' \
	named.dat > bare.dat 2> errors

# stacks FILE OPTION...
stacks() {
	"$FTWAIT" report "$@" --off-cpu --folded --all 2> errors
}

stacks named.dat > named
stacks bare.dat > bare
stacks bare.dat --kallsyms kallsyms > again
expect "report" [ $? -eq 0 ]
expect "the recording named functions" grep -q ';do_\|;__x64_\|schedule' named
expect "without symbols it does not" [ "$(grep -c '0x[0-9a-f]\{8,\}' bare)" -gt 0 ]
sort named > named.sorted
sort again > again.sorted
expect "with the file it does" cmp -s named.sorted again.sorted

grep -v ' [tTwW] __schedule\| [tTwW] schedule' kallsyms | awk 'NR % 3 { print }' |
	sed 's/^\(.*\)0 /\18 /' > wrong
stacks bare.dat --kallsyms wrong > out
expect "another kernel: status 1" [ $? -eq 1 ]
expect "another kernel: why" said "--kallsyms wrong: it belongs to another kernel: "
finish
